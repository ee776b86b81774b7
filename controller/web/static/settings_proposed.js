// The operator's page takes language, names and rate of speech from the settings until somebody chooses in that
// browser. The settings never make a page speak: the machine itself speaks, and a browser needs a tap first.

import { propose } from "./languages.js";

const USUAL_WORDS_A_MINUTE = 160;

// `speech` is the panel of the page, or null where it has none.
export async function proposeSettings(api, speech) {
  const { ok, body } = await api.get("/api/settings");
  if (!ok) return;
  const said = Object.fromEntries(body.fields.map(({ name, value }) => [name, value]));
  if (propose(said["speech.language"])) return location.reload();
  const words = Number(said["speech.words_a_minute"]) || USUAL_WORDS_A_MINUTE;
  speech?.propose({ isPersian: said["speech.persian_names"] === true, rate: words / USUAL_WORDS_A_MINUTE });
}
