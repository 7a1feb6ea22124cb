// Taps on the states of rooms in a list. Each says at its row that it is under way, is sent once, and can be sent again if it
// failed. Several rows may be under way at the same time.

const TAPPED = ".tap"; // the buttons of a row, which are of one form below the list
const shownIn = (row) => row.querySelector("[formaction]").getAttribute("formaction").split("?"); // address, and what it showed
const tapOf = (button) => `${button.name}=${button.value}`;

// While a tap is under way, the same one is not sent again. Another one in its row follows it.
document.addEventListener("click", (event) => {
  const button = event.target.closest(`${TAPPED} button[name]`);
  if (!button) return;
  event.preventDefault();
  const form = button.closest(TAPPED);
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
  const large = form.querySelector(".others") && form.querySelector(".next");
  Object.assign(again, { className: large ? "status next" : "undo", name: button.name, value: button.value, textContent: "Send again" });
  again.dataset.again = "";
  if (large) {
    large.hidden = true;
    large.after(again);
  } else form.querySelector("[data-outcome]").append(" ", again);
}
