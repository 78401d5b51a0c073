import type { Memory } from '#shared/album/memory';

export function someMemory(details: Partial<Memory> = {}): Memory {
  return {
    id: '01980000-0000-7000-8000-000000000001',
    petId: null,
    imageUrl: '/objects/01980000-0000-7000-8000-000000000002',
    caption: null,
    tags: ['summer', 'beach'],
    isLiked: true,
    memoryDate: '2026-03-01',
    dateSource: 'person',
    createdAt: new Date().toISOString(),
    source: 'web',
    width: 400,
    height: 300,
    isAnimated: false,
    placeholder: null,
    ...details,
  };
}
