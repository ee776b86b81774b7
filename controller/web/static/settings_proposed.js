// The settings say how this machine speaks; until somebody chooses at the operator's browser, his page does the same.
// It is never made to speak aloud by them: the machine does that itself, and a browser waits for a tap.

import { propose } from "./languages.js";

const USUAL_WORDS_A_MINUTE = 160;

// `speech` is the panel of the page, or null where it has none.
export async function proposeSettings(headers, speech) {
  const answer = await fetch("/api/settings", { headers }).catch(() => null);
  if (!answer?.ok) return;
  const { fields } = await answer.json();
  const said = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  if (propose(said["speech.language"])) return location.reload();
  const words = Number(said["speech.words_a_minute"]) || USUAL_WORDS_A_MINUTE;
  speech?.propose({ isPersian: said["speech.persian_names"] === true, rate: words / USUAL_WORDS_A_MINUTE });
}
