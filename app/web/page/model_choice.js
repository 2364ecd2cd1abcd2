// Which of a project's models is looked at, and what each is called.

import { button, date, el, field, hideProblem, number, select } from "./dom.js";

/** Return what a model is called; those of one algorithm and one minute are counted, the oldest first. */
export function nameOf(model, models) {
  const plain = ({ algorithm, created_at }) => `${algorithm}, ${date(created_at)}`;
  const alike = models.filter((one) => plain(one) === plain(model)).reverse();
  const place = alike.findIndex(({ id }) => id === model.id) + 1;
  return alike.length > 1 ? `${plain(model)}, ${place} of ${alike.length}` : plain(model);
}

/** Return a choice among the models, the newest first, to which older ones can be added. */
export function modelChoice(context, choose, addOlder) {
  const { models } = context;
  const choice = select("model", [], "");
  // A phone is narrower than a name; who hears the page has it from the choice.
  const whole = el("small", { className: "whole", ariaHidden: "true" });
  const tell = () => (whole.textContent = choice.selectedOptions[0].label);
  const write = () => {
    const name = (one, i) => nameOf(one, models) + (i ? "" : " (newest)");
    const options = models.map((one, i) => el("option", { value: one.id }, name(one, i)));
    choice.replaceChildren(...options);
    choice.value = context.model.id;
    tell();
  };
  choice.addEventListener("change", () => {
    hideProblem();
    tell();
    return choose(models.find(({ id }) => id === choice.value));
  });
  const added = el("small", { role: "status" });
  const older = button("Show older models", async () => {
    await addOlder();
    write();
    added.textContent = `${number(models.length)} models can be chosen`;
    if (context.older) return;
    // Else the button takes the focus along.
    if (document.activeElement === older) choice.focus();
    older.remove();
  });
  write();
  const more = context.older ? older : null;
  return el("div", { className: "bar" }, field("Model", choice), whole, more, added);
}
