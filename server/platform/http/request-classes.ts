import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/**
 * Lets Node make requests and responses that are Express's from the start. Otherwise Express changes the prototype of
 * each one, and V8 is slow with such objects: most outlive several rounds of garbage collection.
 */
export function requestClasses(app: Express): ServerOptions {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse } as ServerOptions;
}
