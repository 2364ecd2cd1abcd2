// Elements, and how numbers are written.

/** Return an element. Text is always set as text, never as markup: documents may hold anything. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  // One by one: no call takes as many arguments as a long text has marks.
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

/** Return a button that cannot be pressed again while its action is at work. */
export function button(label, action, properties = {}) {
  const made = el(
    "button",
    { type: "button", ...properties, click: () => once(made, action) },
    label,
  );
  return made;
}

/** Return a button that adds to a list and goes then; the focus goes to the first that is added. */
export function moreButton(label, list, add) {
  return button(label, async () => {
    const before = list.children.length;
    await add();
    // Whoever went on meanwhile stays there.
    if (document.activeElement !== document.body) return;
    list.children[before]?.querySelector("a, summary")?.focus();
  });
}

/** Return a form whose action gets the values of its fields by their names. */
export function form(action, ...children) {
  const submit = (event) => {
    event.preventDefault();
    const send = made.querySelector("button[type=submit]");
    return once(send, () => action(Object.fromEntries(new FormData(made)), made));
  };
  const made = el("form", { submit }, ...children);
  return made;
}

/** Return a form that searches; of what was asked for while it is at work, the last is shown. */
export function searchForm(search, show, ...children) {
  let newest = 0;
  const submit = async (event) => {
    event.preventDefault();
    hideProblem();
    const mine = ++newest;
    const values = Object.fromEntries(new FormData(made));
    const found = await search(values);
    if (mine === newest) show(found, values);
  };
  const made = el("form", { submit }, ...children, el("button", { type: "submit" }, "Search"));
  return made;
}

/** Have a form that was stored pass for one that nobody has begun to change. */
export function settle(made) {
  for (const one of made.querySelectorAll("input, textarea")) one.defaultValue = one.value;
  for (const one of made.querySelectorAll("option")) one.defaultSelected = one.selected;
}

// A button that is disabled would lose the focus, and whoever goes by keys the place.
async function once(pressed, action) {
  if (pressed.hasAttribute("aria-disabled")) return;
  pressed.setAttribute("aria-disabled", "true");
  hideProblem();
  try {
    await action();
  } finally {
    pressed.removeAttribute("aria-disabled");
  }
}

let fields = 0;

/** Return an input with its label. Neither hint nor options are part of what the label says. */
export function field(label, input, hint) {
  input.id = `field-${++fields}`;
  const parts = [el("label", { htmlFor: input.id }, label), input];
  if (hint) {
    const described = el("small", { id: `${input.id}-hint` }, hint);
    input.setAttribute("aria-describedby", described.id);
    parts.push(described);
  }
  return el("div", { className: "field" }, parts);
}

/** Return a box with its label, and tell an action of each change. */
export function checkbox(label, checked, change) {
  const box = el("input", { type: "checkbox", checked, change: () => change(box.checked) });
  return el("label", { className: "inline" }, box, label);
}

export function select(name, options, chosen) {
  return el(
    "select",
    { name },
    options.map(([value, label]) => el("option", { value, defaultSelected: value === chosen }, label)),
  );
}

export function table(headings, rows) {
  const head = el("tr", {}, headings.map((heading) => el("th", { scope: "col" }, heading)));
  const body = rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell ?? "–"))));
  const made = el("table", {}, el("thead", {}, head), el("tbody", {}, body));
  return el("div", { className: "wide" }, made);
}

/** Return figures by their names; of some it is told what they go by. */
export function figures(rows) {
  return el(
    "dl",
    {},
    rows.flatMap(([name, value, source]) => [
      el("dt", {}, name),
      el("dd", {}, value, source ? el("small", {}, ` ${source}`) : null),
    ]),
  );
}

export function details(summary, ...children) {
  return el("details", {}, el("summary", {}, summary), ...children);
}

const INTEGERS = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const SCORES = new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const SHARES = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });
const DATES = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export const number = (value) => INTEGERS.format(value);
export const score = (value) => SCORES.format(value);
export const date = (value) => DATES.format(new Date(value));

/** Return a share in percent; what is not quite none or all must not look like it. */
export function share(value) {
  if (value > 0 && value < 0.005) return "<1%";
  if (value < 1 && value >= 0.995) return ">99%";
  return SHARES.format(value);
}

/** Return a share rounded down, as the service writes it: what falls short must not look enough. */
export function shareFound(value) {
  if (value > 0 && value < 0.01) return `${Number((100 * value).toPrecision(1))}%`;
  return `${Math.floor(Number((100 * value).toFixed(6)))}%`;
}

/** Return a figure with its ends, or a dash where it cannot be had. */
export function figure(one, write) {
  if (one === null || one.value === null) return "–";
  const { value, low, high } = one;
  return low === null ? write(value) : `${write(value)} (${write(low)} to ${write(high)})`;
}

export function duration(seconds) {
  if (seconds < 90) return `${number(seconds)} s`;
  return seconds < 5400 ? `${number(seconds / 60)} min` : `${number(seconds / 3600)} h`;
}

/** Show the page anew, as one finds it who has just come to it. */
export function showAnew() {
  dispatchEvent(new Event("hashchange"));
}

const problem = document.getElementById("problem");
// What had the focus when the problem was shown.
let before = null;

/** Show what went wrong above everything else, until something else is done. */
export function showProblem(error) {
  if (!problem.contains(document.activeElement)) before = document.activeElement;
  problem.replaceChildren(
    el("span", {}, error.message),
    button("Close", hideProblem, { "aria-keyshortcuts": "Escape" }),
  );
  problem.hidden = false;
  problem.scrollIntoView({ block: "nearest" });
}

/** Hide it; whoever is in it by keys goes on where it came up. */
export function hideProblem() {
  const hadFocus = problem.contains(document.activeElement);
  problem.hidden = true;
  if (!hadFocus) return;
  const isThere = before.isConnected && before !== document.body;
  (isThere ? before : document.getElementById("view")).focus();
}

addEventListener("keydown", ({ key }) => key === "Escape" && hideProblem());
