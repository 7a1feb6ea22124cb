// Taps on the states of rooms in a list. Each says at its row that it is under way, is sent once, and can be sent again if it
// failed. Several rows may be under way at the same time.

const TAPPED = ".tap"; // the buttons of a row, which are of one form below the list
const shownIn = (row) => { // address, and what it showed
  const button = row.querySelector("[formaction]");
  return (button?.getAttribute("formaction") ?? row.querySelector("[data-there]").dataset.there).split("?");
};
const MENU = "others"; // of all rows, which opens for one of them
let opened = null;

// The link of a row to its other steps opens the menu beside it. Without this script, it leads to the page of the status.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.others"), menu = document.getElementById(MENU);
  if (!link || !menu || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  opened = link.closest(TAPPED);
  const state = new URLSearchParams(shownIn(opened)[1]).get("initial-housekeeping");
  const idle = [`housekeeping=${state}`]; // steps that would change nothing
  const broken = link.closest("tr").querySelector(".status.out-of-order");
  if (state !== "dirty" || broken) idle.push("started=1");
  if (!broken) idle.push("service=in-service");
  const wishes = ["do-not-disturb", "no-service-wanted"], has = (wish) => link.closest("tr").querySelector(`.status.${wish}`);
  idle.push(...(wishes.some(has) ? wishes.filter(has) : ["normal"]).map((wish) => `priority=${wish}`));
  if (state !== "dirty") idle.push(...wishes.map((wish) => `priority=${wish}`)); // nobody cleans it anyway
  menu.querySelector("p").textContent = `Room ${link.closest("tr").dataset.row}`;
  for (const other of menu.querySelectorAll("a")) {
    const { to, report } = other.dataset;
    other.href = report ? report + encodeURIComponent(link.closest("tr").dataset.row) : link.href.replace("status/?", `${to}?`);
  }
  for (const button of menu.querySelectorAll("button")) button.hidden = idle.includes(tapOf(button));
  link.setAttribute("aria-expanded", "true"); // so it stays in sight, and has the focus again
  menu.showPopover();
  const { bottom, left } = link.getBoundingClientRect(), top = Math.min(bottom + 4, innerHeight - menu.offsetHeight - 8);
  menu.style.setProperty("--top", `${top}px`);
  menu.style.setProperty("--left", `${left}px`);
  menu.querySelector("button:not([hidden])")?.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || !event.target.matches?.("a.others") || !document.getElementById(MENU)) return;
  event.preventDefault();
  event.target.click();
});
// Who leaves the menu by the Tab key closes it.
document.addEventListener("focusout", ({ target, relatedTarget }) => {
  const menu = target.closest?.(`#${MENU}`);
  if (menu && relatedTarget && !menu.contains(relatedTarget)) menu.hidePopover();
});
const tapOf = (button) => `${button.name}=${button.value}`;

document.addEventListener("toggle", ({ target, newState }) => {
  if (target.id === MENU && newState === "closed") opened?.querySelector(".others")?.removeAttribute("aria-expanded");
}, true);

// While a tap is under way, the same one is not sent again. Another one in its row follows it.
document.addEventListener("click", (event) => {
  const button = event.target.closest(`${TAPPED} button[name], #${MENU} button`);
  if (!button) return;
  event.preventDefault();
  const form = button.closest(TAPPED) ?? opened;
  if (form.dataset.tapped === tapOf(button)) return;
  form.dataset.tapped = tapOf(button);
  button.closest("[popover]")?.hidePopover();
  form.setAttribute("aria-busy", "true");
  const place = form.querySelector("[data-outcome]");
  place.setAttribute("role", "status");
  place.textContent = "Saving …";
  // It swaps what the row's buttons are in and nothing else, so that a second tap meets the same button.
  const values = { [button.name]: button.value };
  const sent = htmx.ajax("POST", shownIn(form)[0], { source: form, target: form, event, values, swap: "innerHTML show:none" });
  sent.catch(() => {}); // portal.js says at the row what has failed
}, true);

// What is sent is what the row shows when it is sent, which is after the tap before. The user may have logged in again in
// another window, which gives the browser another token.
document.addEventListener("htmx:configRequest", ({ detail: { elt, parameters } }) => {
  if (!elt.matches(TAPPED)) return;
  Object.assign(parameters, Object.fromEntries([...new FormData(document.getElementById("tap")), ...new URLSearchParams(shownIn(elt)[1])]));
  const token = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1];
  if (token) parameters.csrfmiddlewaretoken = token;
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const { elt: form, xhr, requestConfig } = detail;
  const button = requestConfig.triggeringEvent?.target.closest("button");
  if (!form.matches(TAPPED) || !button || form.dataset.tapped !== tapOf(button)) return; // or another tap follows
  delete form.dataset.tapped;
  form.removeAttribute("aria-busy");
  queueMicrotask(() => { // after portal.js has written what is wrong, unless the server says it
    const failed = form.querySelector("[role=alert]");
    if (failed && ![400, 404].includes(xhr.status) && !(button.isConnected && button.matches(".undo"))) sendAgain(form, button);
  });
});

// It has the place of the large button, where the thumb is; in other lists, it follows the words.
function sendAgain(form, button) {
  form.querySelector("[data-again]")?.remove();
  const again = document.createElement("button");
  const large = form.matches(".thumb") && form.querySelector(".next");
  Object.assign(again, { className: large ? "button next" : "undo", name: button.name, value: button.value, textContent: "Send again" });
  again.dataset.again = "";
  if (large) {
    large.hidden = true;
    large.after(again);
  } else form.querySelector("[data-outcome]").append(" ", again);
}
