// Which of a project's models is looked at, and what each is called.

import { date, el, field, hideProblem, select } from "./dom.js";

/** Return what a model is called; those of one algorithm and one minute are counted, the oldest first. */
export function nameOf(model, models) {
  const plain = ({ algorithm, created_at }) => `${algorithm}, ${date(created_at)}`;
  const alike = models.filter((one) => plain(one) === plain(model)).reverse();
  const place = alike.findIndex(({ id }) => id === model.id) + 1;
  return alike.length > 1 ? `${plain(model)}, ${place} of ${alike.length}` : plain(model);
}

/** Return a choice among the models, the newest first. */
export function modelChoice({ model, models }, choose) {
  const options = models.map((one, i) => [one.id, nameOf(one, models) + (i ? "" : " (newest)")]);
  const choice = select("model", options, model.id);
  choice.addEventListener("change", () => {
    hideProblem();
    return choose(models.find(({ id }) => id === choice.value));
  });
  return el("div", { className: "bar" }, field("Model", choice));
}
