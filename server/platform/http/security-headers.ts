import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../config/config.ts';

export function securityHeaders(config: Pick<Config, 'http'>, uploadOrigin: string | null): RequestHandler {
  const { isHttps } = config.http;
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // WebAssembly reads HEIC for the uploader's preview.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        // Dialogs lock the page's scrolling with a style element.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'blob:', 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...(uploadOrigin ? [uploadOrigin] : [])],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // With `no-referrer` Chromium sends `Origin: null` on a form POST, and the same-site check would refuse it.
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    // Only honored on https and localhost; elsewhere browsers print a warning for each page.
    crossOriginOpenerPolicy: isHttps,
    originAgentCluster: isHttps,
  });
}
