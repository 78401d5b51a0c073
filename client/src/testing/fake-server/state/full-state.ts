import type { Activity } from '#shared/accounts/activity';
import type { AdminUser } from '#shared/accounts/admin';
import type { Caricature } from '#shared/album/caricature';
import type { Contact } from '#shared/album/contact';
import type { Memory } from '#shared/album/memory';
import type { Pet } from '#shared/album/pet';
import { emptyState, idOf, NOW, type FakeState } from './fake-state.ts';
import { MemoryAlbum } from './memory-album.ts';
import { someMemory } from '../../some-memory.ts';
import { somePet } from '../../some-pet.ts';

/** German compounds, emails and names without spaces have overflowed narrow screens. */
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3);
const [REX, LONG_PET] = [idOf(10), idOf(11)];
const imageUrl = `/objects/${idOf(99)}`;

/** An account with some of everything, long texts included. */
export function fullState(changes: Partial<FakeState> = {}): FakeState {
  const state = emptyState();
  const album = new MemoryAlbum(memories());
  album.deleted = [
    { ...memory(40, { caption: 'Deleted on purpose' }), deletedAt: NOW },
    { ...memory(41, { caption: LONG }), deletedAt: '2026-04-20T10:00:00.000Z' },
  ];
  return {
    ...state,
    user: {
      ...state.user,
      firstName: 'Ada',
      isAdmin: true,
      phoneNumber: '+12065550123',
      phoneVerified: true,
      verifyEmailBy: '2026-05-20T10:00:00.000Z',
    },
    album,
    pets: [
      pet(REX, {
        name: 'Rex',
        breed: 'Dachshund',
        age: '3 years',
        weight: '9 kg',
        profileImageUrl: imageUrl,
      }),
      pet(LONG_PET, { name: LONG.slice(0, 100), species: 'cat', description: Array(4).fill(LONG).join(' ') }),
    ],
    contacts: [
      contact(20, { name: 'Oma Ingrid', relationship: 'family' }),
      contact(21, { name: LONG.slice(0, 100), email: `${'w'.repeat(60)}@family.example`, isActive: false }),
      contact(22, { name: 'Uwe', status: 'unsubscribed', isActive: false }),
      contact(23, { name: 'Ute', status: 'undeliverable', isActive: false }),
    ],
    batches: [{ id: idOf(30), createdAt: NOW, finishedAt: NOW, takenBackAt: null, count: 12 }],
    storage: { ...state.storage, usedBytes: 123_456_789 },
    caricatures: [
      caricature(51, { petId: LONG_PET }),
      caricature(52, { status: 'failed', failureReason: 'moderation', caricatureImageUrl: null }),
      caricature(53, { petId: null, shareUrl: 'http://localhost/p/shared' }),
    ],
    shares: [
      {
        id: idOf(60),
        memoryId: idOf(100),
        caricatureId: null,
        url: 'http://localhost/p/shared',
        imageUrl,
        caption: LONG,
        contactName: null,
        createdAt: NOW,
      },
    ],
    heldMessages: [
      {
        id: idOf(70),
        sender: `${'w'.repeat(60)}@stranger.example`,
        isSenderAuthenticated: false,
        subject: LONG,
        petId: null,
        photoCount: 3,
        createdAt: NOW,
        expiresAt: '2026-06-14T10:00:00.000Z',
      },
    ],
    forwardingRequests: [
      {
        id: idOf(71),
        subject: `(#123456789) Gmail Forwarding Confirmation - Receive Mail from ${'w'.repeat(60)}@gmail.com`,
        code: '123456789',
        text: `${LONG} has requested to automatically forward mail.\n\nhttps://mail-settings.google.com/mail/vf-${'x'.repeat(200)}`,
        createdAt: NOW,
      },
    ],
    allowedSenders: ['oma@family.example', `${'w'.repeat(60)}@family.example`],
    activity: [activity(80, 'signed-in'), activity(81, 'wrong-password'), activity(82, 'passkey-added')],
    sessions: [
      ...state.sessions,
      {
        id: idOf(83),
        device: 'Firefox on Windows',
        network: null,
        createdAt: NOW,
        lastSeenAt: '2026-05-10T10:00:00.000Z',
        isCurrent: false,
      },
    ],
    secondFactor: { totpSince: '2026-04-01T10:00:00.000Z', recoveryCodesLeft: 2 },
    passkeys: [{ id: idOf(84), name: 'W'.repeat(60), createdAt: NOW, lastUsedAt: null }],
    pendingEmail: { email: `${'w'.repeat(60)}@new.example`, expiresAt: '2026-05-16T10:00:00.000Z' },
    exports: [
      {
        id: idOf(85),
        status: 'completed',
        progress: 100,
        createdAt: NOW,
        expiresAt: '2026-05-22T10:00:00.000Z',
        parts: [1, 2].map((number) => ({
          number,
          byteSize: 4_000_000_000,
          url: `/api/exports/parts/${number}`,
        })),
      },
    ],
    imports: [
      {
        id: idOf(86),
        fileName: `${LONG}.zip`,
        byteSize: 1000,
        receivedBytes: 1000,
        status: 'completed',
        message: null,
        total: 10,
        done: 10,
        added: 8,
        unreadable: 1,
        missing: 1,
      },
    ],
    people: [
      person(1, { isAdmin: true, isLastAdmin: true }),
      person(90, { username: 'w'.repeat(50), email: `${'w'.repeat(60)}@mems.example`, lastSeenAt: null }),
      person(91, { isDisabled: true, emailVerified: false }),
      person(92, { deletionDueAt: '2026-05-20T10:00:00.000Z', isTotpOn: true }),
    ],
    warnings: ['Twilio is off: anyone can create an account here, and no address is verified.'],
    invitations: [
      {
        id: idOf(93),
        email: `${'w'.repeat(60)}@mems.example`,
        url: 'http://localhost/auth?invite=token',
        createdBy: 'ada',
        createdAt: NOW,
        expiresAt: '2026-05-20T10:00:00.000Z',
      },
    ],
    backup: { lastBackupAt: '2026-05-15T02:00:00.000Z', ageHours: 8, failure: null },
    ...changes,
  };
}

function memories(): Memory[] {
  const captions = ['At the lake', LONG, null, 'Snow'];
  const tags = [['summer', 'beach'], [LONG], [], ['winter']];
  return Array.from({ length: 30 }, (_, index) =>
    memory(100 + index, {
      caption: captions[index % captions.length] ?? null,
      tags: tags[index % tags.length] ?? [],
      petId: [REX, LONG_PET, null][index % 3] ?? null,
      isLiked: index % 5 === 0,
      createdAt: new Date(Date.parse(NOW) - index * 3 * 24 * 60 * 60 * 1000).toISOString(),
    }),
  );
}

function memory(number: number, details: Partial<Memory>): Memory {
  return someMemory({
    id: idOf(number),
    imageUrl: `/objects/${idOf(1_000_000 + number)}`,
    tags: [],
    isLiked: false,
    memoryDate: null,
    dateSource: null,
    createdAt: '2026-04-01T10:00:00.000Z',
    ...details,
  });
}

function pet(id: string, details: Partial<Pet>): Pet {
  return somePet({ id, createdAt: NOW, ...details });
}

function contact(number: number, details: Partial<Contact>): Contact {
  return {
    id: idOf(number),
    name: 'Uwe',
    email: `contact${number}@family.example`,
    relationship: null,
    isActive: true,
    status: 'ok',
    createdAt: NOW,
    ...details,
  };
}

function caricature(number: number, details: Partial<Caricature>): Caricature {
  return {
    id: idOf(number),
    petId: REX,
    memoryId: idOf(100),
    status: 'completed',
    style: 'comic',
    artist: 'local',
    failureReason: null,
    originalImageUrl: imageUrl,
    caricatureImageUrl: imageUrl,
    shareUrl: null,
    createdAt: NOW,
    ...details,
  };
}

function activity(number: number, kind: string): Activity {
  return {
    id: idOf(number),
    kind,
    isByAdmin: false,
    device: 'Chrome on Linux',
    network: '203.0.113.0/24',
    createdAt: NOW,
  };
}

function person(number: number, details: Partial<AdminUser>): AdminUser {
  return {
    id: idOf(number),
    username: number === 1 ? 'ada' : `person${number}`,
    email: number === 1 ? 'ada@mems.example' : `person${number}@mems.example`,
    firstName: null,
    lastName: null,
    isAdmin: false,
    isDisabled: false,
    deletionDueAt: null,
    isLastAdmin: false,
    isTotpOn: false,
    emailVerified: true,
    createdAt: NOW,
    lastSeenAt: NOW,
    storageBytes: 123_456_789,
    storageLimitBytes: 10_000_000_000,
    hasOwnStorageLimit: false,
    ...details,
  };
}
