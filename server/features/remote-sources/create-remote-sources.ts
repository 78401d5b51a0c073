import type { RequestHandler, Router } from 'express';
import type { AppContext } from '../../platform/context.ts';
import type { Upgrade } from '../../platform/http/listen.ts';
import { loadCompanion, type CompanionService } from './companion-service.ts';
import { remoteSourceRoutes } from './remote-source-routes.tsx';
import { createRemoteSockets } from './remote-sockets.ts';
import { createRemoteTransfers } from './remote-transfers.ts';

export type RemoteSources = {
  routes: Router;
  upgrade: Upgrade;
  /** Ends transfers and websockets, whose browsers will try again. */
  endTransfers(): void;
  close(): Promise<void>;
};

/** Companion is loaded at the first use of a source. */
export function createRemoteSources(
  context: AppContext,
  options: { session: RequestHandler; folder: string | null; uploadOrigin: string | null },
): RemoteSources {
  let loaded: Promise<CompanionService> | null = null;
  const load = () =>
    loadCompanion(context, {
      secret: context.keyedHash('companion'),
      folder: options.folder,
      uploadUrls: [options.uploadOrigin ? startingWith(options.uploadOrigin) : OWN_UPLOAD_URL],
    }).catch((error: unknown) => {
      // Such as a full disk: the next request tries again.
      loaded = null;
      throw error;
    });
  const companion = () => (loaded ??= load());
  const transfers = createRemoteTransfers();
  const sockets = createRemoteSockets(context, { session: options.session, transfers, companion });
  return {
    routes: remoteSourceRoutes({ ...context, transfers, companion }),
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
