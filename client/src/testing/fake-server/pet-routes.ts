import { CreatePetRequest, Pet, UpdatePetRequest } from '#shared/pet';
import { newId } from './fake-state.ts';
import { definedOnly, findById, removeById } from './items.ts';
import { command, list, parseBody, route, type Call } from './route.ts';
import { somePet } from '../some-pet.ts';

const UNKNOWN = 'This pet was not found.';

export const petRoutes = [
  list('GET /api/pets', Pet, ({ state }) => state.pets.toSorted((a, b) => a.name.localeCompare(b.name))),
  route('GET /api/pets/:id', Pet, petOf),
  route('POST /api/pets', Pet, createPet, { status: 201 }),
  route('PATCH /api/pets/:id', Pet, (call) => {
    const { removeProfileImage, profileImage: _, ...changes } = parseBody(call, UpdatePetRequest);
    const pet = Object.assign(petOf(call), definedOnly(changes));
    if (removeProfileImage === 'true') pet.profileImageUrl = null;
    return pet;
  }),
  command('DELETE /api/pets/:id', ({ state, params: { id } }) => {
    removeById(state.pets, id, UNKNOWN);
    for (const each of [...state.caricatures, ...state.album.memories])
      if (each.petId === id) each.petId = null;
  }),
];

function petOf({ state, params }: Call): Pet {
  return findById(state.pets, params['id'], UNKNOWN);
}

function createPet(call: Call): Pet {
  const { profileImage: _, name, species, ...details } = parseBody(call, CreatePetRequest);
  const { state } = call;
  const pet = somePet({ id: newId(state), name, species, createdAt: state.now, ...definedOnly(details) });
  state.pets.push(pet);
  return pet;
}
