import type { RequestHandler, Router } from 'express';
import type { AppContext } from '../../platform/context.ts';
import type { Upgrade } from '../../platform/http/listen.ts';
import type { GetLimits } from '../../platform/public-http/get-public-url.ts';
import { loadCompanion, VENDOR_TIMEOUT_MS, type CompanionService } from './companion-service.ts';
import { DOWNLOAD_LIMITS } from './linked-photo.ts';
import { remoteSourceRoutes } from './remote-source-routes.ts';
import { createRemoteSockets } from './remote-sockets.ts';
import { createRemoteTransfers, TRANSFER_TIMEOUTS, type TransferTimeouts } from './remote-transfers.ts';

export type RemoteSources = {
  routes: Router;
  upgrade: Upgrade;
  /** Ends transfers and websockets, whose browsers will try again. */
  endTransfers(): void;
  close(): Promise<void>;
};

export type RemoteLimits = { download: GetLimits; transfer: TransferTimeouts; vendorTimeoutMs: number };

export const REMOTE_LIMITS: RemoteLimits = {
  download: DOWNLOAD_LIMITS,
  transfer: TRANSFER_TIMEOUTS,
  vendorTimeoutMs: VENDOR_TIMEOUT_MS,
};

/** Companion is loaded at the first use of a source. */
export function createRemoteSources(
  context: AppContext,
  options: { session: RequestHandler; folder: string | null; uploadOrigin: string | null },
  limits = REMOTE_LIMITS,
): RemoteSources {
  let loaded: Promise<CompanionService> | null = null;
  const load = () =>
    loadCompanion(context, {
      secret: context.keyedHash('companion'),
      folder: options.folder,
      uploadUrls: [options.uploadOrigin ? startingWith(options.uploadOrigin) : OWN_UPLOAD_URL],
      limits,
    }).catch((error: unknown) => {
      // Such as a full disk: the next request tries again.
      loaded = null;
      throw error;
    });
  const companion = () => (loaded ??= load());
  const transfers = createRemoteTransfers(limits.transfer);
  const sockets = createRemoteSockets(context, { session: options.session, transfers, companion });
  return {
    routes: remoteSourceRoutes({ ...context, transfers, companion, downloadLimits: limits.download }),
    upgrade: (...upgrade) => sockets.upgrade(...upgrade),
    endTransfers() {
      transfers.stopAll();
      sockets.close();
    },
    close: async () => (await loaded)?.close(),
  };
}

/** The routes write all destinations; companion checks them again. */
const OWN_UPLOAD_URL = /^http:\/\/[^/]+\/uploads\/[0-9a-f-]{36}\?/;

function startingWith(origin: string): RegExp {
  return new RegExp(`^${origin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`);
}
