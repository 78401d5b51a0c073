import { normalizeText } from '../search/search-terms.ts';

type ParsedCaption<Pet> = { pet: Pet | null; caption: string | null };

const COLON = /[:：﹕︓]/gu;
/** Bounds the work for a text of nothing but colons. */
const NAME_MAX_LENGTH = 300;
const CURLY_QUOTES: [RegExp, string][] = [
  [/[‘’ʼ`´]/gu, "'"],
  [/[“”„]/gu, '"'],
];

/** Parses 'PetName: Caption'. The longest name wins, ignoring case and accents. Without a name, an only pet is meant. */
export function parseCaption<Pet extends { name: string }>(
  text: string,
  pets: readonly Pet[],
): ParsedCaption<Pet> {
  const found = findPetBeforeColon(text, pets);
  if (found) return { pet: found.pet, caption: found.rest.trim() || null };
  const [onlyPet = null, another] = pets;
  return { pet: another ? null : onlyPet, caption: text.trim() || null };
}

/** The pet whose name is the whole text, apart from trailing punctuation. */
export function parsePetName<Pet extends { name: string }>(text: string, pets: readonly Pet[]): Pet | null {
  return findPetByName(text, pets) ?? findPetByName(text.replace(/[\s\p{P}]+$/u, ''), pets);
}

function findPetBeforeColon<Pet extends { name: string }>(text: string, pets: readonly Pet[]) {
  const nameAlone = findPetByName(text, pets);
  if (nameAlone) return { pet: nameAlone, rest: '' };
  const colons = [...text.slice(0, NAME_MAX_LENGTH).matchAll(COLON)].reverse();
  for (const { index } of colons) {
    const pet = findPetByName(text.slice(0, index), pets);
    if (pet) return { pet, rest: text.slice(index + 1) };
  }
  return null;
}

/** Among pets whose names differ in case or accents only, prefers the exact spelling, else the first. */
function findPetByName<Pet extends { name: string }>(text: string, pets: readonly Pet[]): Pet | null {
  if (text.length > NAME_MAX_LENGTH) return null;
  const name = spellName(text);
  if (!name) return null;
  const matches = pets.filter((pet) => spellName(pet.name) === name);
  const exact = text.trim().normalize();
  return matches.find((pet) => pet.name.trim().normalize() === exact) ?? matches[0] ?? null;
}

function spellName(name: string): string {
  const plain = CURLY_QUOTES.reduce((text, [curly, straight]) => text.replace(curly, straight), name);
  return normalizeText(plain).replace(/\s+/gu, ' ').trim();
}
