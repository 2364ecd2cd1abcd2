// The documents of a project: brought in, found, deleted.

import { get, patch, post, remove } from "./api.js";
import { button, details, el, field, form, searchForm, settle } from "./dom.js";
import { intake } from "./intake.js";
import { leavingOut, leftOut } from "./model_words.js";
import { languageField } from "./projects.js";
import { deletion } from "./ranking.js";

// Of those that a search finds.
const SHOWN = 20;

export async function showDocuments(context) {
  return [...(await intake(context)), search(context), settings(context)];
}

function search(context) {
  const path = `projects/${context.project.id}`;
  const found = el("ul", { className: "documents" });
  const told = el("p", { role: "status" });
  const row = ({ id, text, label }) => {
    const made = el("li", {}, el("p", { dir: "auto" }, snippet(text)), el("small", {}, label));
    const name = button("This is one", async () => {
      await post(`${path}/positives`, { ids: [id] });
      const hadFocus = document.activeElement === name;
      const told = el("small", { tabIndex: -1 }, "positive");
      name.replaceWith(told);
      if (hadFocus) told.focus();
      await context.refresh();
    });
    if (label !== "positive") made.lastChild.replaceWith(name);
    made.append(deletion(context, id));
    return made;
  };
  return el(
    "article",
    {},
    el("h2", {}, "Examples from the pile"),
    searchForm(
      ({ q }) => get(`${path}/documents`, { q, page_size: SHOWN }),
      ({ documents }) => {
        found.replaceChildren(...documents.map(row));
        told.textContent = howMany(documents.length);
      },
      field(
        "Search for words",
        el("input", { name: "q", type: "search", required: true }),
        `One after the other, as they stand in the text. The first ${SHOWN} documents with them are shown, examples too.`,
      ),
    ),
    told,
    found,
  );
}

function howMany(found) {
  if (found === SHOWN) return `The first ${SHOWN} documents that have this in their text:`;
  if (found > 1) return `${found} documents have this in their text:`;
  return `${found ? "One" : "No"} document has this in its text${found ? ":" : "."}`;
}

function snippet(text) {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

function settings(context) {
  const { project } = context;
  const saved = el("small", { role: "status" });
  let stored = { ...project, words: leftOut(project).join(", ") };
  const path = `projects/${project.id}`;
  return details(
    "Change or delete the project",
    form(
      async (values, made) => {
        saved.textContent = "";
        // What others changed meanwhile stays.
        const { words, ...changed } = Object.fromEntries(
          Object.entries(values).filter(([name, value]) => value !== stored[name]),
        );
        if (words !== undefined) {
          await context.refresh();
          const listed = words.split(/[,;]/).map((part) => part.trim()).filter(Boolean);
          Object.assign(changed, leavingOut(context.project, listed));
        }
        await patch(path, changed);
        stored = { ...stored, ...values };
        settle(made);
        await context.refresh();
        saved.textContent = "Saved.";
      },
      field(
        "Name",
        el("input", { name: "name", required: true, maxLength: 200, defaultValue: project.name }),
      ),
      languageField(
        project.language,
        " Models keep the one they were trained with: after a change train again.",
      ),
      field(
        "Words to leave out",
        el("input", { name: "words", defaultValue: stored.words }),
        "Such as those of a footer, in all trainings from now on.",
      ),
      field(
        "Notes",
        el("textarea", {
          name: "description",
          rows: 2,
          maxLength: 10000,
          defaultValue: project.description,
        }),
      ),
      el("button", { type: "submit" }, "Save"),
      saved,
    ),
    button(
      "Delete the project",
      async () => {
        const question = `Delete “${context.project.name}” with its documents, labels and models? This cannot be undone.`;
        if (!confirm(question)) return;
        await remove(path);
        location.hash = "#/";
      },
      { className: "danger" },
    ),
  );
}
