// The settings: offers the browser's own time zone, and keeps the sound switch of this browser in step.

const form = document.getElementById("preferences");
const zones = form.elements.time_zone;
const offer = document.getElementById("zone-offer");
const button = offer.querySelector("button");
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

if (own && zones.value !== own && [...zones.options].some((option) => option.value === own)) {
  zones.closest(".field").append(offer);
  button.textContent = button.dataset.words.replace("%s", own.replaceAll("_", " "));
  offer.hidden = false;
  button.addEventListener("click", () => {
    zones.value = own;
    offer.hidden = true;
    zones.focus();
  });
}
form.addEventListener("submit", () => localStorage.setItem("sound", form.elements.has_sound.checked ? "on" : "off"));
