import { describe, expect, it } from 'vitest';
import type { Pet } from '#shared/album/pet';
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
  profileImageCrop: null,
  createdAt: '2026-11-20T12:00:00.000Z',
};
const entriesOf = (form: FormData) => Object.fromEntries(form);

describe('form data of a new pet', () => {
  it('contains trimmed values without empty ones', () => {
    const values = { ...toPetValues(null), name: ' Biscuit ', species: 'dog', age: '  ' };
    expect(entriesOf(toPetFormData(values, null))).toEqual({ name: 'Biscuit', species: 'dog' });
  });

  it('contains the picture as a file', () => {
    const picture = new File(['pixels'], 'biscuit.jpg');
    const form = toPetFormData({ ...toPetValues(null), profileImage: picture }, null);
    expect(form.get('profileImage')).toBeInstanceOf(File);
  });
});

describe('form data of an existing pet', () => {
  it('is empty without changes', () => {
    expect(entriesOf(toPetFormData(toPetValues(pet), pet))).toEqual({});
  });

  it('contains changed fields, empty if cleared', () => {
    const values = { ...toPetValues(pet), breed: '', age: '2 years', birthdayOrGotchaDay: '' };
    expect(entriesOf(toPetFormData(values, pet))).toEqual({
      breed: '',
      age: '2 years',
      birthdayOrGotchaDay: '',
    });
  });

  it('contains removeProfileImage', () => {
    expect(entriesOf(toPetFormData({ ...toPetValues(pet), profileImage: 'removed' }, pet))).toEqual({
      removeProfileImage: 'true',
    });
  });
});
