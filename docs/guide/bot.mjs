#!/usr/bin/env node
// A bot for any game of hostless, in another language and without packages.
//
//     hostless bot TABLE --command "node docs/guide/bot.mjs"           plays by quick hints
//     hostless bot TABLE --command "node docs/guide/bot.mjs random"    plays anything legal
//
// It is told a choice as one line of JSON and answers with another: see docs/guide/bring-a-bot.md.

import { createInterface } from "node:readline";

const LEVEL = "gentle";
const isRandom = process.argv[2] === "random";

const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");
// In a tournament the same seed has to give the same game; at a table there is none.
let luck = BigInt(process.env.HOSTLESS_SEED ?? Date.now());
const below = (count) => {
  luck = BigInt.asUintN(64, luck * 6364136223846793005n + 1442695040888963407n);
  return Number((luck >> 33n) % BigInt(count));
};
const pick = (list) => list[below(list.length)];

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (told.hint) {
    say({ text: told.hint.actions.find((action) => action.best).text });
  } else if (isRandom || told.actions.length === 1) {
    say({ text: pick(told.actions).text });
  } else {
    say({ hint: LEVEL });
  }
}
