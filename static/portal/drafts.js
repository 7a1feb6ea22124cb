// What somebody types into a form is kept in this browser until the form is saved: through the end of the session, a failed
// send and a restart of the browser. Each user has drafts of their own. Passwords, codes and files are never kept.

const DRAFT = "draft";
const DAYS_KEPT = 7;
const SECRET = "[type=password], [autocomplete=one-time-code]";
const UNKEPT = `${SECRET}, [type=file], [name=csrfmiddlewaretoken], [name=${DRAFT}], [name=sent-before], button, fieldset, output`;

function fieldsOf(form) {
  return [...form.elements].filter((field) => field.name && !field.matches(UNKEPT));
}
function typedOf(form) {
  return fieldsOf(form).filter((field) => field.type !== "hidden");
}
function isDrafted(form) {
  return form?.matches("main[data-user] form.entries") && !form.querySelector(SECRET) && typedOf(form).length > 0;
}
function keyOf(form) {
  const { pathname } = new URL(form.getAttribute("action") || location.href, location.href);
  const selection = form.method === "get" ? location.search : ""; // of the rooms to change
  return `${DRAFT}:${form.closest("main").dataset.user}:${pathname}${selection}`;
}

// The values that the browser would send: names and values. The initial ones are those that the server has drawn.
function valuesOf(fields, initial = false) {
  const is = initial ? { checked: "defaultChecked", selected: "defaultSelected", value: "defaultValue" } : { checked: "checked", selected: "selected", value: "value" };
  return fields.flatMap((field) => {
    if (["checkbox", "radio"].includes(field.type)) return field[is.checked] ? [[field.name, field.value]] : [];
    if (!field.options) return [[field.name, field[is.value]]];
    const chosen = [...field.options].filter((option) => option[is.selected]);
    const shown = chosen.length || field.multiple ? chosen : [...field.options].slice(0, 1);
    return shown.map((option) => [field.name, option.value]);
  });
}
const same = (some, others) => JSON.stringify(some) === JSON.stringify(others);

// --- The store, which may be full or forbidden ---

function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}
function forget(isOver) {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(`${DRAFT}:`) && isOver(stored(key))) localStorage.removeItem(key);
  }
}
function keep(form) {
  const key = keyOf(form);
  const id = stored(key)?.id ?? (Date.now().toString(36) + Math.random().toString(36).slice(2)).slice(0, 40);
  const draft = { id, at: Date.now(), initial: valuesOf(typedOf(form), true), values: valuesOf(fieldsOf(form)) };
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch { /* then this form has no draft */ }
}
for (const moment of ["input", "picked"]) {
  document.addEventListener(moment, ({ target }) => {
    if (isDrafted(target.form)) keep(target.form);
  });
}

// The server answers with a cookie once the form of a draft is saved.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const draft = isDrafted(form) && stored(keyOf(form));
  if (event.defaultPrevented || !draft) return;
  if (form.method === "get") { // the values are in the address from now on
    localStorage.removeItem(keyOf(form));
    return;
  }
  form.querySelector(`[name=${DRAFT}]`)?.remove();
  form.append(Object.assign(document.createElement("input"), { type: "hidden", name: DRAFT, value: draft.id }));
});
function forgetSaved() {
  for (const [, id] of document.cookie.matchAll(/(?:^|; )draft-([a-z0-9]+)=/g)) {
    forget((draft) => draft?.id === id);
    document.cookie = `${DRAFT}-${id}=; path=/; max-age=0`;
  }
}

// --- When the page is opened again ---

function fill(form, values) {
  const left = new Map();
  for (const [name, value] of values) left.set(name, [...(left.get(name) ?? []), value]);
  for (const field of fieldsOf(form)) {
    const texts = left.get(field.name) ?? [];
    if (["checkbox", "radio"].includes(field.type)) field.checked = texts.includes(field.value);
    else if (field.multiple && field.options) for (const option of field.options) option.selected = texts.includes(option.value);
    else if (texts.length) field.value = texts.shift();
  }
  for (const field of typedOf(form)) field.dispatchEvent(new Event("change", { bubbles: true }));
}

// Lines that the server has not drawn: it draws them, and writes nothing.
function askForLines(form, values) {
  const whole = document.createElement("form");
  Object.assign(whole, { method: "post", hidden: true });
  const token = form.querySelector("[name=csrfmiddlewaretoken]");
  for (const [name, value] of [...values, [token.name, token.value], ["update", "1"]]) {
    whole.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
  document.body.append(whole);
  whole.submit();
}

function restore(form) {
  const draft = stored(keyOf(form));
  if (!draft || same(draft.values, valuesOf(fieldsOf(form)))) return;
  if ("bound" in form.closest("main").dataset) { // the server has drawn what was sent, which is newer
    keep(form);
    return;
  }
  const names = new Set(fieldsOf(form).map((field) => field.name));
  const lacksLines = form.querySelector("button[name=update]") && draft.values.some(([name, value]) => value && !names.has(name));
  const isOfAnother = !form.querySelector("[name=revision]") && !same(draft.initial, valuesOf(typedOf(form), true));
  const note = say(form, draft);
  const bring = () => {
    if (lacksLines) return askForLines(form, draft.values);
    fill(form, draft.values);
    note.querySelector("span").textContent = note.dataset.restored;
    note.querySelector("[data-restore]")?.remove();
  };
  if (!lacksLines && !isOfAnother) bring();
  else note.querySelector("[data-discard]").before(button("restore", "Restore", bring));
}

function button(name, words, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: words, onclick: act });
  made.dataset[name] = "";
  return made;
}

function say(form, { at }) {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const words = time.toLocaleString("en-GB", { ...(!isToday && { day: "numeric", month: "short" }), hour: "2-digit", minute: "2-digit" });
  const note = Object.assign(document.createElement("p"), { className: "draft actions", innerHTML: "<span></span>" });
  note.setAttribute("role", "status");
  note.dataset.restored = `Your unsent draft of ${words} was restored.`;
  form.before(note);
  note.firstChild.textContent = `You have an unsent draft of ${words}.`;
  note.append(button("discard", "Discard", () => {
    localStorage.removeItem(keyOf(form));
    location.reload(); // a reset of the form would leave its hidden fields as they are
  }));
  return note;
}

document.addEventListener("DOMContentLoaded", () => {
  forgetSaved();
  forget((draft) => !(Date.now() - draft?.at < DAYS_KEPT * 86_400_000));
  [...document.querySelectorAll("main form.entries")].filter(isDrafted).forEach(restore);
});
