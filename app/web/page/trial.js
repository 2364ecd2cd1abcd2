// Score a text that is not in the project.

import { post } from "./api.js";
import { el, field, form, score, share } from "./dom.js";
import { marked } from "./marked_text.js";

export function showTrial({ model }) {
  // Whoever hears the page knows the text.
  const told = el("p", { role: "status" });
  const shown = el("div", { className: "text", dir: "auto" });
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
        const [found] = answer.predictions;
        told.replaceChildren(...verdict(found));
        shown.replaceChildren(el("span", {}, marked(text, found.terms ?? [], model)));
      },
      field("Text", el("textarea", { name: "text", rows: 8, required: true })),
      el("button", { type: "submit" }, "Score it"),
    ),
    told,
    shown,
  ];
}

function verdict({ label, score: value, probability, cut }) {
  const certainty = probability === null ? "" : `, probability ${share(probability)}`;
  return [
    el("strong", { className: label }, label),
    `: score ${score(value)}, cut at ${score(cut)}${certainty}`,
  ];
}
