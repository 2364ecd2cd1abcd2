// What a reader wants of reviews, as long as the page is open.

import { checkbox, el } from "./dom.js";

/** Who trains after every 10 reads hardly less, who waits for 200 reads more (docs/review.md). */
const TRAIN_AFTER = 50;
const trainedAgain = new Set();
// How many were judged in each project since a training was started here.
const judged = new Map();
let byKeys = true;

export const keysJudge = () => byKeys;
export const countAnew = (projectId) => judged.delete(projectId);

export function countJudged(projectId, n) {
  judged.set(projectId, (judged.get(projectId) ?? 0) + n);
}

/** Return after how many more judgements a model is to be trained; null where nobody wants that. */
export function untilTrained(projectId) {
  if (!trainedAgain.has(projectId)) return null;
  return Math.max(0, TRAIN_AFTER - (judged.get(projectId) ?? 0));
}

/** Return the boxes for it. */
export function habits(projectId) {
  const train = (isWanted) =>
    isWanted ? trainedAgain.add(projectId) : trainedAgain.delete(projectId);
  const useKeys = (isWanted) => {
    byKeys = isWanted;
  };
  const again = `Train again after every ${TRAIN_AFTER} judgements`;
  return [
    el("p", {}, checkbox(again, trainedAgain.has(projectId), train)),
    el("p", {}, checkbox("Judge by keys (P, N, U, Z)", byKeys, useKeys)),
  ];
}
