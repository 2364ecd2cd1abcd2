// What a reader wants of reviews, as long as the page is open.

import { checkbox, el } from "./dom.js";

/** Who trains after every 10 reads as much, who waits for 200 reads more (docs/review.md). */
export const TRAIN_AFTER = 50;
const trainedAgain = new Set();
let byKeys = true;

export const isTrainedAgain = (projectId) => trainedAgain.has(projectId);
export const keysJudge = () => byKeys;

/** Return the boxes for it. */
export function habits(projectId) {
  const train = (isWanted) =>
    isWanted ? trainedAgain.add(projectId) : trainedAgain.delete(projectId);
  const useKeys = (isWanted) => {
    byKeys = isWanted;
  };
  const again = `Train again after every ${TRAIN_AFTER} judgements`;
  return [
    el("p", {}, checkbox(again, isTrainedAgain(projectId), train)),
    el("p", {}, checkbox("Judge by keys (P, N, U, Z)", byKeys, useKeys)),
  ];
}
