// Documents that say nearly the same as the one to judge.

import { details, el, number } from "./dom.js";

/** Return how many there are and what they say, and a box for whether they are judged alike. */
export function copiesToo({ copies }, isChosen, choose) {
  if (!copies.length) return "";
  const [are, them] =
    copies.length === 1
      ? ["Another document says", "it"]
      : [`${number(copies.length)} other documents say`, "them"];
  const box = el("input", {
    type: "checkbox",
    checked: isChosen,
    change: () => choose(box.checked),
  });
  return el(
    "div",
    {},
    details(`${are} nearly the same`, el("ul", {}, copies.map(({ text }) => el("li", {}, text)))),
    el("label", { className: "inline" }, box, `Give ${them} the same label`),
  );
}

/** Return how many were judged with a document, in words. */
export function withCopies(copies) {
  return copies.length ? `, with ${number(copies.length)} that say nearly the same` : "";
}
