import { expect, type Locator, type Page } from '@playwright/test';
import type { Photo } from '../photo-files.ts';

/** The fields of the pet form. */
export interface PetDetails {
  name: string;
  species: 'dog' | 'cat' | 'bird' | 'fish' | 'rabbit' | 'hamster' | 'other';
  breed?: string;
  age?: string;
  weight?: string;
  birthdayOrGotchaDay?: string;
  description?: string;
}

/** Creates a pet by API. @returns its id */
export async function createPet(page: Page, pet: PetDetails, photo?: Photo): Promise<string> {
  const multipart = { ...pet, ...(photo && { profileImage: photo }) };
  const response = await page.request.post('/api/pets', { multipart });
  expect(response.status()).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

export function petCard(page: Page, name: string): Locator {
  return page.getByRole('article', { name, exact: true });
}

/** The value of a fact on a pet's card. */
export function petFact(card: Locator, name: string): Locator {
  return card
    .locator('dl > div')
    .filter({ has: card.page().getByText(name, { exact: true }) })
    .locator('dd');
}

export async function fillPet(page: Page, pet: Partial<PetDetails>): Promise<void> {
  const dialog = page.getByRole('dialog');
  if (pet.name !== undefined) await dialog.getByLabel('Name').fill(pet.name);
  if (pet.species !== undefined) await dialog.getByLabel('Species').selectOption(pet.species);
  if (pet.breed !== undefined) await dialog.getByLabel('Breed').fill(pet.breed);
  if (pet.birthdayOrGotchaDay !== undefined)
    await dialog.getByLabel('Birthday or gotcha day').fill(pet.birthdayOrGotchaDay);
  if (pet.age !== undefined) await dialog.getByLabel('Age').fill(pet.age);
  if (pet.weight !== undefined) await dialog.getByLabel('Weight').fill(pet.weight);
  if (pet.description !== undefined) await dialog.getByLabel('Description').fill(pet.description);
}

/** The file input of the open form. */
export function profilePictureInput(page: Page): Locator {
  return page.getByLabel(/^Profile picture/);
}
