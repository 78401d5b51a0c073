import { normalizeText } from './search-terms.ts';

/** What the words of a message say about its photos. */
export type ParsedStory<Pet> = { pet: Pet | null; caption: string | null };

const COLON = /[:：﹕︓]/gu;
/** A name that is longer was not typed on a phone; and who texts nothing but colons is done with soon. */
const LONGEST_NAME = 300;
/** What phones make of the straight ones by themselves. */
const CURLY_QUOTES: [RegExp, string][] = [
  [/[‘’ʼ`´]/gu, "'"],
  [/[“”„]/gu, '"'],
];

/**
 * 'PetName: Caption'. The pet is found whatever the case and accents of its name, the longest name that fits; what is
 * no pet's name stays in the caption. A name by itself is no caption. Without a name the only pet is meant.
 */
export function parseStory<Pet extends { name: string }>(
  text: string,
  pets: readonly Pet[],
): ParsedStory<Pet> {
  const found = findNamed(text, pets);
  if (found) return { pet: found.pet, caption: found.rest.trim() || null };
  const [onlyPet = null, another] = pets;
  return { pet: another ? null : onlyPet, caption: text.trim() || null };
}

/** The pet whose name is all that the text says; punctuation after it is none of it. */
export function parsePetName<Pet extends { name: string }>(text: string, pets: readonly Pet[]): Pet | null {
  return petCalled(text, pets) ?? petCalled(text.replace(/[\s\p{P}]+$/u, ''), pets);
}

function findNamed<Pet extends { name: string }>(text: string, pets: readonly Pet[]) {
  const nameAlone = petCalled(text, pets);
  if (nameAlone) return { pet: nameAlone, rest: '' };
  const colons = [...text.slice(0, LONGEST_NAME).matchAll(COLON)].reverse();
  for (const { index } of colons) {
    const pet = petCalled(text.slice(0, index), pets);
    if (pet) return { pet, rest: text.slice(index + 1) };
  }
  return null;
}

/** Of pets that are called alike the one that is written alike, else the first. */
function petCalled<Pet extends { name: string }>(text: string, pets: readonly Pet[]): Pet | null {
  if (text.length > LONGEST_NAME) return null;
  const name = spellName(text);
  if (!name) return null;
  const called = pets.filter((pet) => spellName(pet.name) === name);
  const written = text.trim().normalize();
  return called.find((pet) => pet.name.trim().normalize() === written) ?? called[0] ?? null;
}

function spellName(name: string): string {
  const plain = CURLY_QUOTES.reduce((text, [curly, straight]) => text.replace(curly, straight), name);
  return normalizeText(plain).replace(/\s+/gu, ' ').trim();
}
