// Score a text that is not in the project.

import { post } from "./api.js";
import { el, field, form, score, share } from "./dom.js";
import { marked } from "./marked_text.js";

export function showTrial({ model }) {
  const outcome = el("div", { role: "status" });
  const { doctor } = model;
  return [
    // The doctor looks for missing ones where any document had a vector.
    doctor.some(({ code }) => code === "missing_vectors")
      ? el(
          "p",
          { className: "caution" },
          "This model learned from vectors, too. A text that is tried here has none: its words alone are scored.",
        )
      : "",
    form(
      async ({ text }) => {
        const answer = await post("predict", { model_id: model.id, texts: [text], explain: true });
        outcome.replaceChildren(...prediction(model, text, answer.predictions[0]));
      },
      field("Text", el("textarea", { name: "text", rows: 8, required: true })),
      el("button", { type: "submit" }, "Score it"),
    ),
    outcome,
  ];
}

function prediction(model, text, { label, score: value, probability, cut, terms }) {
  const certainty = probability === null ? "" : `, probability ${share(probability)}`;
  return [
    el(
      "p",
      {},
      el("strong", { className: label }, label),
      `: score ${score(value)}, cut at ${score(cut)}${certainty}`,
    ),
    el("div", { className: "text", dir: "auto" }, marked(text, terms ?? [], model)),
  ];
}
