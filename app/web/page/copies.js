// Documents that say nearly the same as the one to judge.

import { checkbox, details, el, number } from "./dom.js";

/** Return a box for whether they are judged alike, and what they say. */
export function copiesToo({ copies }, isChosen, choose) {
  if (!copies.length) return "";
  const [others, what] =
    copies.length === 1
      ? ["another document that says", "What it says"]
      : [`${number(copies.length)} other documents that say`, "What they say"];
  return el(
    "div",
    {},
    checkbox(`Give ${others} nearly the same this label, too`, isChosen, choose),
    details(what, el("ul", {}, copies.map(({ text }) => el("li", {}, text)))),
  );
}

/** Return how many were judged with a document, in words. */
export function withCopies(copies) {
  const say = copies.length === 1 ? "says" : "say";
  return copies.length ? `, with ${number(copies.length)} that ${say} nearly the same` : "";
}

/** Tell whether the same documents say nearly the same as one, and as another. */
export function haveSameCopies(one, other) {
  return one.copies.length === other.copies.length && !without(one.copies, other.copies).length;
}

/** Return documents but for some. */
export function without(documents, some) {
  const ids = new Set(some.map(({ id }) => id));
  return documents.filter(({ id }) => !ids.has(id));
}
