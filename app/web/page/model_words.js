// The words that a model goes by: chosen ones become an example, or are left out.

import { Problem, patch, post } from "./api.js";
import { button, el, form, score } from "./dom.js";

const FOR =
  "Choose those that name what you look for: together they are one more example. Or those that should not count, such as the words of a footer.";
const AGAINST = "Choose those that should not count.";

export function modelWords(context, { terms_for, terms_against }) {
  const most = Math.max(...[...terms_for, ...terms_against].map(({ weight }) => Math.abs(weight)));
  const section = (heading, className, terms, hint, ...buttons) =>
    el(
      "section",
      {},
      el("h2", {}, heading),
      form(
        (_values, made) => addWords(context, made),
        el(
          "ul",
          { className: "bars" },
          terms.map((one) => el("li", { title: score(one.weight) }, choice(one, most, className))),
        ),
        el("small", { role: "status" }, hint),
        el("div", { className: "bar" }, buttons),
      ),
    );
  const example = el("button", { type: "submit" }, "Add the chosen words");
  const sections = [
    terms_for.length && section("Words for", "for", terms_for, FOR, example, leaveOut(context)),
    terms_against.length &&
      section("Words against", "against", terms_against, AGAINST, leaveOut(context)),
  ];
  return el("div", { className: "columns" }, sections.filter(Boolean));
}

/** Return the words that a project has left out. */
export const leftOut = ({ vectorizer }) => vectorizer.extra_stop_words ?? [];

/** Return the change of a project after which it leaves these words out. */
export const leavingOut = ({ vectorizer }, words) => ({
  vectorizer: { ...vectorizer, extra_stop_words: words.length ? words : null },
});

function choice({ term, weight }, most, className) {
  const bar = el("span", { className });
  bar.style.width = `${(100 * Math.abs(weight)) / most}%`;
  return el("label", {}, el("input", { type: "checkbox", value: term }), bar, term);
}

function leaveOut(context) {
  // Characters are counted whatever the word, and hashed terms are none.
  const { analyzer, n_features } = context.model.vectorizer;
  if (analyzer !== "word" || n_features !== null) return null;
  const made = button("Leave the chosen words out", () => leaveWordsOut(context, made.form));
  return made;
}

async function addWords(context, made) {
  const text = chosenIn(made).join(" ");
  const report = await post(`projects/${context.project.id}/positives`, { documents: [text] });
  done(
    made,
    report.unchanged
      ? `“${text}” is an example already.`
      : `“${text}” is an example now: train again.`,
  );
  await context.refresh();
}

async function leaveWordsOut(context, made) {
  // Pairs of words go with their words.
  const chosen = chosenIn(made).flatMap((term) => term.split(" "));
  await context.refresh(); // what others left out meanwhile stays
  const words = new Set([...leftOut(context.project), ...chosen]);
  await patch(`projects/${context.project.id}`, leavingOut(context.project, [...words]));
  done(made, `${[...new Set(chosen)].join(", ")}: left out from now on. Train again. The list is under Documents.`);
  await context.refresh();
}

function chosenIn(made) {
  const chosen = [...made.querySelectorAll("input:checked")].map(({ value }) => value);
  if (!chosen.length) throw new Problem(0, { detail: "Choose some of the words first." });
  return chosen;
}

function done(made, told) {
  for (const box of made.querySelectorAll("input:checked")) box.checked = false;
  made.querySelector("small").textContent = told;
}
