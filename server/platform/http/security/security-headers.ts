import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../../config/config.ts';

export function securityHeaders(
  config: Pick<Config, 'http' | 'remoteSources'>,
  uploadOrigin: string | null,
): RequestHandler {
  const { isHttps } = config.http;
  const vendors = vendorHosts(config);
  return setHeaders(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          // WebAssembly reads HEIC for the uploader's preview.
          scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...vendors.scripts],
          // Dialogs lock the page's scrolling with a style element.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'blob:', 'data:', ...vendors.images],
          fontSrc: ["'self'"],
          connectSrc: ["'self'", ...(uploadOrigin ? [uploadOrigin] : []), ...vendors.connections],
          ...(vendors.frames.length > 0 && { frameSrc: ["'self'", ...vendors.frames] }),
          workerSrc: ["'self'", 'blob:'],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
        },
      },
      // With `no-referrer` Chromium sends `Origin: null` on a form POST, and the same-site check would reject it.
      referrerPolicy: { policy: 'same-origin' },
      frameguard: { action: 'deny' },
      strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
      // Only honored on https and localhost; elsewhere browsers print a warning for each page.
      // The window of a vendor's sign-in must be able to report to the page that opened it.
      crossOriginOpenerPolicy: isHttps && {
        policy: vendors.opensWindows ? 'same-origin-allow-popups' : 'same-origin',
      },
      originAgentCluster: isHttps,
    }),
  );
}

/** Sets what Helmet sets, which computes the same values for each response. */
function setHeaders(middleware: ReturnType<typeof helmet>): RequestHandler {
  const sample = new ServerResponse(new IncomingMessage(new Socket()));
  middleware(sample.req, sample, () => undefined);
  const headers = new Map(Object.entries(sample.getHeaders() as Record<string, string>));
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

/** The hosts from which the configured remote sources load scripts, frames and images. */
function vendorHosts({ remoteSources }: Pick<Config, 'remoteSources'>) {
  const { googlePicker, googleDrive, dropbox, onedrive } = remoteSources;
  const googleImages = ['https://*.googleusercontent.com'];
  return {
    opensWindows: [googlePicker, googleDrive, dropbox, onedrive].some((each) => each !== null),
    // https://developers.google.com/identity/gsi/web/guides/get-google-api-clientid#content_security_policy
    scripts: googlePicker ? ['https://accounts.google.com/gsi/client', 'https://apis.google.com'] : [],
    frames: googlePicker
      ? ['https://accounts.google.com', 'https://docs.google.com', 'https://content.googleapis.com']
      : [],
    connections: googlePicker
      ? ['https://accounts.google.com', 'https://www.googleapis.com', 'https://photospicker.googleapis.com']
      : [],
    images: [
      ...(googlePicker || googleDrive ? googleImages : []),
      ...(googlePicker ? ['https://ssl.gstatic.com'] : []),
      // Microsoft documents no hosts for the thumbnails; these are personal and business accounts'.
      ...(onedrive ? ONEDRIVE_IMAGES : []),
    ],
  };
}

const ONEDRIVE_IMAGES = [
  'https://*.1drv.com',
  'https://*.livefilestore.com',
  'https://*.svc.ms',
  'https://*.sharepoint.com',
  'https://*.microsoftpersonalcontent.com',
];
