import { describe, expect, it } from 'vitest';
import type { Pet } from '#shared/pet';
import { toPetFormData, toPetValues } from './pet-form.ts';

const pet: Pet = {
  id: '01980000-0000-7000-8000-000000000001',
  name: 'Biscuit',
  species: 'dog',
  breed: 'Beagle',
  age: null,
  weight: ' 15 lbs',
  birthdayOrGotchaDay: '2026-03-01',
  description: 'Steals socks.',
  profileImageUrl: '/objects/01980000-0000-7000-8000-000000000002',
  createdAt: '2026-11-20T12:00:00.000Z',
};
const entriesOf = (form: FormData) => Object.fromEntries(form);

describe('what the form sends of a new pet', () => {
  it('is what was filled in, trimmed, and nothing that is empty', () => {
    const values = { ...toPetValues(null), name: ' Biscuit ', species: 'dog', age: '  ' };
    expect(entriesOf(toPetFormData(values, null))).toEqual({ name: 'Biscuit', species: 'dog' });
  });

  it('has the picture as a file', () => {
    const picture = new File(['pixels'], 'biscuit.jpg');
    const form = toPetFormData({ ...toPetValues(null), profileImage: picture }, null);
    expect(form.get('profileImage')).toBeInstanceOf(File);
  });
});

describe('what the form sends of a pet that is there', () => {
  it('is nothing while nothing was changed', () => {
    expect(entriesOf(toPetFormData(toPetValues(pet), pet))).toEqual({});
  });

  it('is what was changed, empty where a value was taken out', () => {
    const values = { ...toPetValues(pet), breed: '', age: '2 years', birthdayOrGotchaDay: '' };
    expect(entriesOf(toPetFormData(values, pet))).toEqual({
      breed: '',
      age: '2 years',
      birthdayOrGotchaDay: '',
    });
  });

  it('says when the picture goes', () => {
    expect(entriesOf(toPetFormData({ ...toPetValues(pet), profileImage: 'removed' }, pet))).toEqual({
      removeProfileImage: 'true',
    });
  });
});
