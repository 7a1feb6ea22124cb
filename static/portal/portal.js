// Keep the focus, the selected rows and the open drop-downs when htmx swaps a list, show lists that say what was wrong, report
// failed requests, send a form once, close the open menu, offer what pickers find, and mend the frame's icons.
// All pages also work without this script.

const TAP = ".tap"; // the buttons of a row
const PALETTE = "#search-input-command"; // its field
const OPEN = "#list details[id][open]"; // drop-downs, and the sheet of filters
let before = { open: [], focused: "", row: -1, value: "", ticked: [], selecting: false };
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status === 400 && xhr.getResponseHeader("HX-Push-Url")) { // a list, with what is wrong beside the fields
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  }
  if (xhr.getResponseHeader("HX-Reselect")) showInPart(event.detail);
  else if (event.detail.elt.matches(TAP) && !xhr.responseText.includes("data-outcome")) { // of a proxy, not of the portal
    event.detail.shouldSwap = false;
    report("The answer did not come from the portal.", "Try again in a moment.", event.detail.elt);
  } else if (xhr.status === 409) Object.assign(event.detail, { shouldSwap: true, isError: false }); // it says who changed it
  const focused = document.activeElement;
  before = {
    open: [...document.querySelectorAll(OPEN)].map((details) => details.id),
    focused: focused?.id,
    row: rows().indexOf(focused?.closest("tr")),
    value: focused?.value,
    ticked: [...document.querySelectorAll(".tick :checked")].map((tick) => tick.value),
    selecting: document.querySelector("[data-selecting]")?.checked,
  };
});
document.addEventListener("htmx:afterSwap", () => {
  for (const tick of ticks()) tick.checked = before.ticked.includes(tick.value);
  showTickAll();
  const selecting = document.querySelector("[data-selecting]");
  if (selecting) selecting.checked = before.selecting;
  for (const id of before.open) document.getElementById(id)?.setAttribute("open", "");
  document.querySelectorAll("[data-narrow]").forEach(narrow);
  showSliders();
  rove();
  // htmx cannot focus an element that is folded away.
  if (before.open.length && document.activeElement === document.body) {
    const open = document.querySelectorAll(OPEN);
    const place = document.getElementById(before.focused) ?? [...open].at(-1)?.querySelector("summary");
    place?.focus({ preventScroll: true });
  }
});

// An error of a part of a page is shown there. What the part had before stays below it, unless it would be out of date.
function showInPart(swap) {
  swap.target.querySelector("[data-part-error]")?.remove();
  const place = swap.target.querySelector("[data-outcome]"); // of a tap in a row, where nothing may move
  const override = place || "errorReplaces" in swap.target.dataset ? "innerHTML" : "afterbegin";
  Object.assign(swap, { target: place ?? swap.target, shouldSwap: true, isError: false, swapOverride: override });
}

document.addEventListener("htmx:afterSettle", () => {
  // If the swap removed the focused element, go to the row in its place, or to the list; not to the top of the page.
  if (document.activeElement === document.body) {
    const row = before.row < 0 ? null : rows().at(Math.min(before.row, rows().length - 1));
    const buttons = [...(row?.querySelectorAll("button") ?? [])].filter((button) => button.checkVisibility());
    const button = buttons.find((other) => other.value === before.value) ?? buttons[0];
    (button ?? document.querySelector("#list, #bulk"))?.focus({ preventScroll: true });
  }
  report("");
});

function rows() {
  return [...document.querySelectorAll("#list tr[data-row]")];
}

// A page that was asked for to print it.
addEventListener("load", () => document.querySelector("[data-print]") && print());

// A box that selects every row of the page. It is hidden without this script.
function ticks() {
  return [...document.querySelectorAll("tbody td.tick input")];
}
function showTickAll() {
  const all = document.querySelector("[data-tick-all]");
  if (!all) return;
  const ticked = ticks().filter((tick) => tick.checked).length;
  all.closest("label").hidden = !ticks().length;
  all.checked = ticked > 0 && ticked === ticks().length;
  all.indeterminate = ticked > 0 && !all.checked;
}
document.addEventListener("DOMContentLoaded", showTickAll);
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-tick-all]")) {
    for (const tick of ticks()) tick.checked = event.target.checked;
    if (!event.target.checked) for (const floor of document.querySelectorAll(".floor .tick input")) floor.checked = false;
  }
  if (event.target.matches(".floor .tick input")) {
    for (const tick of event.target.closest("tbody").querySelectorAll("td.tick input")) tick.checked = event.target.checked;
  }
  // A floor that is ticked is all of its rooms, on other pages, too. So it is not, once one of them is not wanted.
  if (event.target.matches("tbody td.tick input") && !event.target.checked) {
    const floor = event.target.closest("tbody").querySelector(".floor .tick input");
    if (floor) floor.checked = false;
  }
  if (event.target.matches("tbody .tick input")) showTickAll();
});

// A field that narrows the choices of a drop-down to those with a word that begins so. Enter chooses the first of them.
function narrow(field) {
  const words = field.value.trim().toLowerCase();
  for (const choice of field.closest(".panel").querySelectorAll(".choice")) {
    const label = choice.querySelector("span").textContent.toLowerCase();
    choice.classList.toggle("away", !` ${label}`.replace(/\s+/g, " ").includes(` ${words}`));
  }
}
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-narrow]")) narrow(event.target);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("[data-narrow]")) return;
  event.preventDefault();
  event.target.closest(".panel").querySelector(".choice:not(.away)")?.click();
});

// Two sliders set the two fields of a range. A slider at its end sets no limit.
function showSliders() {
  for (const slider of document.querySelectorAll("[data-slides]")) {
    slider.parentElement.hidden = false;
    slider.value = slider.form.elements[slider.dataset.slides].value || slider.defaultValue;
  }
}
document.addEventListener("DOMContentLoaded", showSliders);
document.addEventListener("input", ({ target }) => {
  if (!target.matches("[data-slides]")) return;
  const [low, high] = target.parentElement.children;
  if (Number(low.value) > Number(high.value)) target.value = (target === low ? high : low).value;
  target.form.elements[target.dataset.slides].value = target.value === target.defaultValue ? "" : target.value;
});
document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-slides]")) target.form.requestSubmit();
});

// A group of buttons is one stop of the Tab key, as in https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/. Arrows move in it.
const ROVING = "[data-roving]";
function stops(group) {
  const all = group.querySelectorAll("a[href], summary, button");
  return [...all].filter((stop) => stop.checkVisibility() && !stop.closest(".panel, .fold[open] + .folded"));
}
function rove() {
  for (const group of document.querySelectorAll(ROVING)) {
    if (group.matches("[role=group]")) group.setAttribute("role", "toolbar");
    const all = stops(group);
    const isCurrent = [(stop) => stop === document.activeElement, (stop) => stop.hasAttribute("aria-current"), () => true];
    const current = isCurrent.map((test) => all.find(test)).find(Boolean);
    for (const stop of all) stop.tabIndex = stop === current ? 0 : -1;
  }
}
document.addEventListener("DOMContentLoaded", rove);
document.addEventListener("focusin", (event) => {
  if (event.target.closest(ROVING)) rove();
});
document.addEventListener("keydown", (event) => {
  const group = event.target.closest(ROVING);
  const all = group ? stops(group) : [];
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || !all.includes(event.target)) return;
  event.preventDefault();
  all.at((all.indexOf(event.target) + step) % all.length).focus();
});

for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, ({ detail }) => {
    const advice = detail.elt.matches(TAP) ? "Try again in a moment." : "The list has not changed. Try again in a moment.";
    report("The server cannot be reached.", advice, detail.elt);
  });
}
document.addEventListener("htmx:responseError", (event) => {
  const { elt, xhr } = event.detail;
  if (xhr.getResponseHeader("HX-Redirect")) return; // htmx opens the error page
  report(`The server answered with an error (${xhr.status}).`, elt.matches(TAP) ? "" : "The list has not changed.", elt);
});

// A second click sends a form once. Forms that htmx sends are prevented already.
const SECOND_CLICK = 3000; // milliseconds
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || (event.submitter?.formMethod || form.method) !== "post") return;
  if (Date.now() - (form.dataset.sentAt ?? 0) < SECOND_CLICK) event.preventDefault();
  else form.dataset.sentAt = Date.now();
});
// The page that follows a step of an order may have the next step at the same place. A second tap must not take that, too.
const SECOND_TAP = 1000; // milliseconds
document.addEventListener("click", (event) => {
  if (!event.target.closest(".steps button")) return;
  if (Date.now() - (sessionStorage.steppedAt ?? 0) < SECOND_TAP) event.preventDefault();
  else sessionStorage.steppedAt = Date.now();
});
window.addEventListener("pageshow", () => { // the browser may show a page as the user has left it
  for (const form of document.querySelectorAll("form[data-sent-at]")) delete form.dataset.sentAt;
});

function report(text, advice, elt = null) {
  const row = elt?.matches(TAP) && elt.querySelector("[data-outcome]");
  const problem = row || document.getElementById("list-problem");
  if (!problem) return;
  problem.textContent = text && `${text} ${problem.dataset.advice ?? advice}`;
  if (row) row.setAttribute("role", "alert");
  else problem.hidden = !text;
}

// The address of a page that is explained shows the engineers' panel.
document.addEventListener("DOMContentLoaded", () => {
  if (new URLSearchParams(location.search).has("explain")) document.getElementById("cost")?.showPopover();
});

// The engineers' panel and the command palette cover the page, so the Tab key stays in them.
document.addEventListener("keydown", (event) => {
  const panel = document.querySelector(".cost:popover-open") ?? event.target.closest("[role=dialog][aria-modal]");
  if (!panel || event.key !== "Tab") return;
  event.preventDefault();
  const all = [...panel.querySelectorAll("a[href], button, summary, input:not([type=hidden])")];
  all.at((all.indexOf(document.activeElement) + (event.shiftKey ? -1 : 1)) % all.length).focus();
});

// The command palette, which Unfold's script opens and closes, gives the focus back to where it was.
let focusedBefore = null;
document.addEventListener("focusin", ({ target, relatedTarget }) => {
  if (target.matches(PALETTE) && !relatedTarget?.closest("[role=dialog]")) focusedBefore = relatedTarget;
});
function leavePalette(field, frames = 20) {
  requestAnimationFrame(() => { // Alpine changes the page after this event, on a busy machine some frames later
    if (!field.checkVisibility()) (focusedBefore ?? document.getElementById("main-content"))?.focus({ preventScroll: true });
    else if (frames) leavePalette(field, frames - 1);
  });
}

const MENUS = "details.switcher[open], details.drop[open], #nav-sidebar details[open]";
const LEADS_AWAY = "details.drop a:not([hx-get])"; // to another list
document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll(MENUS)) {
    if (!open.contains(event.target)) open.open = false;
    else if (event.target.closest(LEADS_AWAY)) shut(open);
  }
  const sheet = document.querySelector(".fold[open]");
  if (sheet && event.target.closest(".show")) shut(sheet);
}, true); // before htmx asks which are open

function shut(details) {
  details.open = false;
  details.querySelector("summary").focus();
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector(`${MENUS}, .fold[open]`);
  if (event.target.matches(PALETTE)) {
    leavePalette(event.target);
  } else if (open) {
    shut(open);
  } else if (closer()) {
    toggle(closer());
  }
});

// A picker: what is typed is looked up, and the arrow keys go through what is found. What is chosen is named in the field, and
// its id is in the hidden field beside it. See https://www.w3.org/WAI/ARIA/apg/patterns/combobox/.
const PICKER = "[data-picker] > input[type=text]";
const PAUSE = 200; // milliseconds without a key
const part = (field, selector) => field.parentElement.querySelector(selector);
for (const moment of ["DOMContentLoaded", "htmx:afterSettle"]) {
  document.addEventListener(moment, () => {
    for (const field of document.querySelectorAll(`${PICKER}:not([role])`)) {
      field.setAttribute("role", "combobox");
      field.setAttribute("aria-autocomplete", "list");
      field.setAttribute("aria-expanded", "false");
      field.setAttribute("aria-controls", part(field, "[role=listbox]").id);
    }
  });
}
function options(field) {
  return [...part(field, "[role=listbox]").children];
}
function activate(field, option) {
  for (const each of options(field)) each.setAttribute("aria-selected", String(each === option));
  if (option) field.setAttribute("aria-activedescendant", option.id);
  else field.removeAttribute("aria-activedescendant");
  option?.scrollIntoView({ block: "nearest" });
}
function offer(field, choices, said) {
  const list = part(field, "[role=listbox]");
  list.replaceChildren(...choices.map((choice, number) => {
    const option = Object.assign(document.createElement("li"), { id: `${list.id}-${number}`, role: "option", choice });
    const name = Object.assign(document.createElement("bdi"), { textContent: choice.name });
    const more = Object.assign(document.createElement("bdi"), { textContent: choice.description, className: "muted" });
    option.append(name, " ", more);
    return option;
  }));
  list.hidden = !choices.length;
  field.setAttribute("aria-expanded", String(!list.hidden));
  part(field, "[role=status]").textContent = said;
  field.parentElement.toggleAttribute("data-found-nothing", !choices.length);
  activate(field, null);
}
async function lookUp(field) {
  const { picker, address, hotel = "" } = field.parentElement.dataset;
  const hotelField = field.form.elements["hotel_id-chosen"];
  const ofHotel = hotelField ? new URLSearchParams(hotelField.value).get("id") ?? "" : hotel;
  const asked = field.value;
  const query = new URLSearchParams({ kind: picker, q: asked, hotel: picker === "hotel" ? "" : ofHotel });
  try {
    const found = await (await fetch(`${address}?${query}`, { headers: { Accept: "application/json" } })).json();
    if (field.value === asked && field === document.activeElement) offer(field, found.choices, found.said);
  } catch {
    offer(field, [], "The search does not answer. You can still send the form, which then searches for this text.");
  }
}
function remark(field, text = "") {
  const note = part(field, ".note");
  if (note) note.hidden = !(note.textContent = text);
}
function pick(field, { choice }) {
  field.value = choice.name;
  part(field, "[type=hidden]").value = choice.chosen;
  part(field, ".picks")?.remove();
  remark(field, choice.facts.note);
  offer(field, [], `${choice.name} is chosen.`);
  field.parentElement.removeAttribute("data-found-nothing");
  field.dispatchEvent(new CustomEvent("picked", { bubbles: true, detail: choice.facts }));
}
document.addEventListener("input", ({ target }) => {
  if (!target.matches(PICKER)) return;
  part(target, ".picks")?.remove();
  remark(target);
  clearTimeout(target.pause);
  target.pause = setTimeout(lookUp, PAUSE, target);
});
document.addEventListener("keydown", (event) => {
  if (!event.target.matches(PICKER)) return;
  const field = event.target, all = options(field), isOpen = field.getAttribute("aria-expanded") === "true";
  const active = all.findIndex((option) => option.id === field.getAttribute("aria-activedescendant"));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && isOpen) activate(field, all.at((active + step + (active < 0 && step < 0 ? 1 : 0)) % all.length));
  else if (event.key === "ArrowDown") lookUp(field);
  else if (event.key === "Enter" && active >= 0) pick(field, all[active]);
  else if (event.key === "Escape" && isOpen) offer(field, [], "");
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
document.addEventListener("mousedown", (event) => {
  const option = event.target.closest("[data-picker] [role=option]");
  if (!option) return;
  event.preventDefault(); // the field keeps the focus
  pick(option.closest("[data-picker]").querySelector(PICKER), option);
});
// Without autocomplete="off", browsers cover the choices with what was typed before. With it, they restore nothing on Back.
document.addEventListener("focusin", ({ target }) => target.matches(PICKER) && target.setAttribute("autocomplete", "off"));
document.addEventListener("focusout", ({ target }) => {
  if (target.matches(PICKER)) target.removeAttribute("autocomplete");
  if (target.matches(PICKER) && target.getAttribute("aria-expanded") === "true") offer(target, [], "");
});

// The form to place an order: an item of the hotel fills in its price, and the total follows.
const DIGITS = 6; // of a price, after the point
const SCALE = 10n ** BigInt(DIGITS);
document.addEventListener("input", ({ target }) => {
  const form = target.closest("form[data-order-form]");
  if (form) showTotal(form);
});
document.addEventListener("picked", ({ target, detail }) => {
  const form = target.closest("form[data-order-form]");
  if (!form) return;
  const total = form.querySelector("[data-running-total]");
  if (target.name === "hotel_id") total.dataset.currency = detail.currency;
  if (detail.unit_price) fillIn(form.elements[target.name.replace(/sku$/, "unit_price")], detail, total.dataset.currency);
  showTotal(form);
});
for (const moment of ["DOMContentLoaded", "htmx:afterSettle"]) {
  document.addEventListener(moment, () => document.querySelectorAll("form[data-order-form]").forEach(showTotal));
}

// What the user has written is never replaced, only what this function wrote.
function fillIn(price, item, currency) {
  if (price.value && price.value !== price.dataset.filled) return;
  price.value = price.dataset.filled = !currency || item.currency === currency ? item.unit_price : "";
}

function showTotal(form) {
  let total = 0n;
  for (const line of form.querySelectorAll("fieldset.line")) {
    const [quantity, price] = ["quantity", "unit_price"].map((name) => scaled(line.querySelector(`[name$=-${name}]`).value));
    const isClear = total !== null && price !== null && quantity !== null && quantity % SCALE === 0n;
    total = isClear ? total + quantity / SCALE * price : null;
  }
  showLines([...form.querySelectorAll("fieldset.line")], form.elements.more);
  const shown = form.querySelector("[data-running-total]");
  shown.textContent = total === null ? "-" : amount(total, shown.dataset.currency);
}

// Of the blank lines only the first is shown, or the first two of an order without lines. A line that is filled in shows the next.
function showLines(lines, more) {
  const isBlank = (line) => !line.querySelector(".wrong, :focus") && [...line.querySelectorAll("input")].every((field) => !field.value);
  const blank = lines.map(isBlank);
  lines.forEach((line, number) => line.hidden = number > 1 && blank[number] && blank[number - 1]);
  if (more) more.hidden = lines.some((line) => line.hidden);
}

// A number as the server reads it, times SCALE; 0 if the text is blank, null if it has two readings or is none.
function scaled(text) {
  let number = text.normalize("NFKC").trim().replace(/(?<=\d)[ '\u2019](?=\d{3}(?!\d))/g, "");
  if (/^[1-9]\d{0,2}((\.\d{3})+|(,\d{3})+)$/.test(number)) return null;
  if (/^\d{1,3}((,\d{3})+\.\d*|(\.\d{3})+,\d*)$/.test(number)) number = number.replaceAll(/[.,](?=.*[.,])/g, "");
  if (number && !/^(\d+[.,]?\d*|[.,]\d+)$/.test(number)) return null;
  const [whole, fraction = ""] = number.split(/[.,]/);
  return BigInt((whole || "0") + fraction.padEnd(DIGITS, "0").slice(0, DIGITS));
}

function amount(total, currency) {
  const digits = String(total).padStart(DIGITS + 1, "0");
  const exact = `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`;
  const style = /^[A-Z]{3}$/.test(currency) ? { style: "currency", currency, currencyDisplay: "code" } : {};
  return new Intl.NumberFormat("en-GB", style).format(exact);
}

// After a form was sent, go on where the user was: at the first field with an error, or at the page's content.
document.addEventListener("DOMContentLoaded", () => {
  const wrong = document.querySelector("main form [autofocus], main form.entries .wrong :is(input, select, textarea)");
  const isSamePage = document.referrer && new URL(document.referrer).pathname === location.pathname;
  if (wrong) wrong.focus();
  else if (isSamePage) document.getElementById("main-content")?.focus({ preventScroll: true });
});

// Unfold writes icons as words in a font, and the toggles of its sidebar as spans. Screen readers skip these icons.
document.addEventListener("DOMContentLoaded", () => {
  for (const icon of document.querySelectorAll(".material-symbols-outlined")) {
    if (!icon.hasAttribute("x-on:click")) {
      icon.setAttribute("aria-hidden", "true");
      continue;
    }
    icon.setAttribute("role", "button");
    icon.setAttribute("aria-label", "Open or close the sidebar");
    icon.tabIndex = 0;
  }
});

// The sidebar marks the saved view whose list is open, also after htmx has loaded another list.
function essence(address) {
  const { pathname, searchParams } = new URL(address, location);
  for (const passing of ["cursor", "choices", "explain", "list"]) searchParams.delete(passing);
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}
for (const change of ["htmx:pushedIntoHistory", "htmx:replacedInHistory"]) {
  document.addEventListener(change, () => {
    for (const link of document.querySelectorAll("#nav-sidebar-apps [data-view]")) {
      if (essence(link.href) === essence(location)) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  });
}

const TOGGLE = ".material-symbols-outlined[role=button]";
document.addEventListener("keydown", (event) => {
  if (!["Enter", " "].includes(event.key) || !event.target.matches(TOGGLE)) return;
  event.preventDefault();
  toggle(event.target);
});
// On a phone, the open sidebar covers the page. It closes when the focus leaves it.
document.addEventListener("focusin", (event) => {
  if (!event.target.closest("#nav-sidebar")) closer()?.click();
});

// The toggle in the sidebar, which is only visible while the sidebar is open on a phone.
function closer() {
  const inside = document.querySelector(`#nav-sidebar ${TOGGLE}`);
  return inside?.checkVisibility() ? inside : null;
}

// Open or close the sidebar by keyboard. On a phone, the focus goes into the sidebar and back to the page.
function toggle(pressed) {
  pressed.click();
  setTimeout(() => { // Alpine changes the page after this event
    [...document.querySelectorAll(TOGGLE)].find((other) => other !== pressed && other.checkVisibility())?.focus();
  });
}

// A file that is too large is named before it is sent, because the server ends such a request. Unfold's own script fails
// at a file's field that stands alone, so the event does not reach it.
document.addEventListener("change", (event) => {
  const field = event.target;
  if (!field.dataset.most) return;
  event.stopPropagation();
  const size = field.files[0]?.size ?? 0;
  const text = `This file has ${(size / 1e6).toFixed(1)} MB. At most ${field.dataset.most / 1e6} MB can be uploaded.`;
  field.setCustomValidity(size > field.dataset.most ? text : "");
  field.reportValidity();
}, true);

// The browser cannot focus a field while Unfold hides the page, which it does until Alpine has started.
document.addEventListener("alpine:initialized", () => {
  setTimeout(() => document.querySelector("form [autofocus]")?.focus());
});

// The pages below /admin/ are Django's and Unfold's own. Give them landmarks, and names to what has none, once Django's
// scripts have drawn its lists.
window.addEventListener("load", () => setTimeout(() => {
  if (document.querySelector("main")) return;
  document.getElementById("main")?.setAttribute("role", "main");
  document.getElementById("searchbar-submit")?.setAttribute("aria-label", "Search");
  for (const icon of document.querySelectorAll(".search-label-icon")) icon.setAttribute("role", "img");
  for (const cell of document.querySelectorAll("[data-label='Select record']")) cell.dataset.label = "Select";
  for (const header of document.querySelectorAll("#main th")) {
    if (!header.textContent.trim()) header.innerHTML = '<span class="sr-only">Link</span>';
  }
}));

// An export begins when its first row is read, or its last one. A refusal is a page, so links have no "download".
document.addEventListener("click", ({ target }) => {
  const note = target.closest("[data-export]")?.closest("details").nextElementSibling;
  if (note) note.textContent = note.dataset.preparing;
});
