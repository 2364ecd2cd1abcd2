// How far a review is, and how many are probably left.

import { details, el, figure, figures, number, shareFound } from "./dom.js";
import { inPage } from "./words.js";

/** Return what is told of a review. */
export function howFar({
  n_judged,
  n_found,
  n_seeds,
  n_left,
  remaining,
  recall,
  by_seeds,
  suggestion,
  why,
  n_until_stop,
  assumption,
}) {
  const untilStop = n_until_stop
    ? ` Stop after ${number(n_until_stop)} more in a row of which none is positive.`
    : "";
  const estimates = n_judged
    ? [
        ["probably left", figure(remaining, number)],
        ["found of all", figure(recall, shareFound)],
      ]
    : [["expected in the pile", figure(by_seeds, number), by_seeds.value && "by the examples"]];
  const rows = [
    ["examples given", number(n_seeds)],
    ["judged", number(n_judged)],
    ["found", number(n_found)],
    ["not judged", number(n_left)],
    ...estimates,
  ];
  return [
    figures(rows),
    recall.value === null
      ? ""
      : el("progress", { max: 1, value: recall.value, "aria-label": "Found of all" }),
    n_judged ? el("p", { className: suggestion === "stop" ? "fine" : "" }, inPage(why) + untilStop) : "",
    details("What the estimates assume", el("p", {}, assumption)),
  ];
}
