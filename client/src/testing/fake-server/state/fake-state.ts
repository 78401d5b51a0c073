import type { Activity } from '#shared/accounts/activity';
import type { AdminUser } from '#shared/accounts/admin';
import type { AppConfig } from '#shared/api/app-config';
import type { BackupState } from '#shared/transfers/backup';
import type { Batch } from '#shared/transfers/batch';
import type { Caricature, CaricatureOptions } from '#shared/album/caricature';
import type { Contact } from '#shared/album/contact';
import type { Export } from '#shared/transfers/export';
import type { FlipbookPdf } from '#shared/album/flipbook';
import type { Import } from '#shared/transfers/import';
import type {
  AcceptHeldMessageRequest,
  ForwardingRequest,
  HeldMessage,
} from '#shared/transfers/inbound-email';
import type { Invitation } from '#shared/accounts/invitation';
import type * as z from 'zod/mini';
import type { ConnectedIdentity } from '#shared/accounts/oidc';
import type { Passkey } from '#shared/accounts/passkey';
import type { Pet } from '#shared/album/pet';
import type { SecondFactor } from '#shared/accounts/second-factor';
import type { UserSession } from '#shared/accounts/session';
import type { Share } from '#shared/album/share';
import type { KnownPhotos, StorageUsage } from '#shared/transfers/upload';
import type { PendingEmailChange, User } from '#shared/accounts/user';
import { MemoryAlbum } from './memory-album.ts';

/** The one account of a fake server, and the installation around it. */
export interface FakeState {
  now: string;
  /** Of signed URLs and links. */
  origin: string;
  nextId: number;
  isSignedIn: boolean;
  /** The password must be entered again before changes that could take the account over. */
  isIdentityUnconfirmed: boolean;
  /** POST /api/login waits for the code of the authenticator app. */
  isCodeNeeded: boolean;
  /** By a mail server: new accounts must verify their address. */
  sendsEmail: boolean;
  user: User;
  password: string;
  /** The code that an authenticator app or an SMS has. */
  code: string;
  config: AppConfig;
  album: MemoryAlbum;
  pets: Pet[];
  contacts: Contact[];
  uploads: { id: string; isStored: boolean; memoryId: string | null }[];
  /** By hash: the fake server keeps no bytes. */
  knownPhotos: KnownPhotos['known'];
  batches: Batch[];
  storage: StorageUsage;
  caricatures: Caricature[];
  caricatureOptions: CaricatureOptions;
  shares: Share[];
  pdfs: FlipbookPdf[];
  heldMessages: HeldMessage[];
  /** What was chosen for accepted messages. */
  acceptedMessages: Omit<AcceptHeldMessageRequest, 'allowSender'>[];
  forwardingRequests: ForwardingRequest[];
  allowedSenders: string[];
  activity: Activity[];
  sessions: UserSession[];
  secondFactor: SecondFactor;
  isTotpStarted: boolean;
  passkeys: Passkey[];
  identities: z.infer<typeof ConnectedIdentity>[];
  pendingEmail: PendingEmailChange['pending'];
  /** Before the last change, which can be undone. */
  previousEmail: string | null;
  exports: Export[];
  imports: Import[];
  people: AdminUser[];
  invitations: Invitation[];
  warnings: string[];
  backup: BackupState | null;
}

export const NOW = '2026-05-15T10:00:00.000Z';

/** A new account. */
export function emptyState(changes: Partial<FakeState> = {}): FakeState {
  const user = {
    id: idOf(1),
    email: 'ada@mems.example',
    username: 'ada',
    firstName: null,
    lastName: null,
    phoneNumber: null,
    phoneVerified: false,
    emailVerified: true,
    isAdmin: false,
    verifyEmailBy: null,
    inboundEmail: 'photos-abcdef@mems.example',
    createdAt: NOW,
  };
  return {
    now: NOW,
    origin: 'http://localhost',
    nextId: 1000,
    isSignedIn: true,
    isIdentityUnconfirmed: false,
    isCodeNeeded: false,
    sendsEmail: false,
    user,
    password: 'correct horse',
    code: '123456',
    config: {
      version: '1.0.0',
      registration: 'open',
      oidcName: null,
      phoneNumber: '+15550100',
      emailEnabled: changes.sendsEmail ?? false,
      smsEnabled: false,
      outboxEnabled: false,
      inboundEmailEnabled: true,
      caricaturesEnabled: true,
      passkeyOrigin: null,
      remoteSources: [],
      upload: { maxBytes: 10_485_760, maxFiles: 1 },
    },
    album: new MemoryAlbum(),
    pets: [],
    contacts: [],
    uploads: [],
    knownPhotos: [],
    batches: [],
    storage: { usedBytes: 0, limitBytes: 10_000_000_000, freeDiskBytes: 50_000_000_000 },
    caricatures: [],
    caricatureOptions: {
      enabled: true,
      artist: 'local',
      styles: ['comic'],
      remaining: 10,
      limit: 10,
      service: null,
      consentNeeded: false,
    },
    shares: [],
    pdfs: [],
    heldMessages: [],
    acceptedMessages: [],
    forwardingRequests: [],
    allowedSenders: [],
    activity: [],
    sessions: [
      {
        id: idOf(2),
        device: 'Chrome on Linux',
        network: '203.0.113.0/24',
        createdAt: NOW,
        lastSeenAt: NOW,
        isCurrent: true,
      },
    ],
    secondFactor: { totpSince: null, recoveryCodesLeft: 0 },
    isTotpStarted: false,
    passkeys: [],
    identities: [],
    pendingEmail: null,
    previousEmail: null,
    exports: [],
    imports: [],
    people: [
      {
        id: user.id,
        username: user.username,
        email: user.email,
        firstName: null,
        lastName: null,
        isAdmin: true,
        isDisabled: false,
        deletionDueAt: null,
        isLastAdmin: true,
        isTotpOn: false,
        emailVerified: true,
        createdAt: NOW,
        lastSeenAt: NOW,
        storageBytes: 0,
        storageLimitBytes: 10_000_000_000,
        hasOwnStorageLimit: false,
      },
    ],
    invitations: [],
    warnings: [],
    backup: null,
    ...changes,
  };
}

/** A UUID that names a number. */
export function idOf(number: number): string {
  return `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

export function newId(state: FakeState): string {
  return idOf(state.nextId++);
}
