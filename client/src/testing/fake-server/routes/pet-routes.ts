import {
  CreatePetRequest,
  Pet,
  PictureProposal,
  PictureProposalRequest,
  UpdatePetRequest,
} from '#shared/album/pet';
import { newId } from '../state/fake-state.ts';
import { definedOnly, FakeError, findById, removeById } from '../state/items.ts';
import { PHOTO } from '../photo.ts';
import { command, list, parseBody, route, type Call } from './route.ts';
import { somePet } from '../../some-pet.ts';

const UNKNOWN = 'This pet was not found.';

export const petRoutes = [
  list('GET /api/pets', Pet, ({ state }) => state.pets.toSorted((a, b) => a.name.localeCompare(b.name))),
  route('GET /api/pets/:id', Pet, petOf),
  route('POST /api/pets', Pet, createPet, { status: 201 }),
  route('PATCH /api/pets/:id', Pet, (call) => {
    const {
      removeProfileImage,
      profileImage: _,
      profileImageCrop: crop,
      croppedImageId,
      ...changes
    } = parseBody(call, UpdatePetRequest);
    const pet = petOf(call);
    if (croppedImageId && croppedImageId !== imageIdOf(pet))
      throw new FakeError(409, 'This picture was changed elsewhere. Please open the pet again.');
    Object.assign(pet, definedOnly(changes));
    if (removeProfileImage === 'true') Object.assign(pet, { profileImageUrl: null, profileImageCrop: null });
    else if (crop && pet.profileImageUrl) {
      const before = pet.profileImageCrop ?? { originalUrl: pet.profileImageUrl, width: 900, height: 600 };
      pet.profileImageCrop = { ...before, ...crop };
    }
    return pet;
  }),
  route('POST /api/pets/picture-proposal', PictureProposal, (call) => {
    const { withPreview } = parseBody(call, PictureProposalRequest);
    const preview =
      withPreview === 'true' ? `data:image/png;base64,${btoa(String.fromCharCode(...PHOTO))}` : null;
    return { width: 900, height: 600, left: 200, top: 0, size: 600, preview };
  }),
  command('DELETE /api/pets/:id', ({ state, params: { id } }) => {
    removeById(state.pets, id, UNKNOWN);
    for (const each of [...state.caricatures, ...state.album.memories])
      if (each.petId === id) each.petId = null;
  }),
];

function imageIdOf({ profileImageUrl, profileImageCrop }: Pet): string | undefined {
  return (profileImageCrop?.originalUrl ?? profileImageUrl)?.replace('/objects/', '');
}

function petOf({ state, params }: Call): Pet {
  return findById(state.pets, params['id'], UNKNOWN);
}

function createPet(call: Call): Pet {
  const {
    profileImage: _,
    profileImageCrop: __,
    name,
    species,
    ...details
  } = parseBody(call, CreatePetRequest);
  const { state } = call;
  const pet = somePet({ id: newId(state), name, species, createdAt: state.now, ...definedOnly(details) });
  state.pets.push(pet);
  return pet;
}
