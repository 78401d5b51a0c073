import type { Caricature } from '#shared/album/caricature';

export function someCaricature(details: Partial<Caricature> = {}): Caricature {
  return {
    id: '0191c0de-0000-7000-8000-000000000001',
    petId: '0191c0de-0000-7000-8000-00000000000a',
    memoryId: '0191c0de-0000-7000-8000-00000000000b',
    status: 'completed',
    style: 'comic',
    artist: 'openai',
    failureReason: null,
    originalImageUrl: '/objects/0191c0de-0000-7000-8000-00000000000c',
    caricatureImageUrl: null,
    shareUrl: null,
    createdAt: '2026-05-01T10:00:00.000Z',
    ...details,
  };
}
