import { afterAll, afterEach, beforeEach } from 'vitest';
import './deny-network.ts';
import { closeTestServers, openTestServers } from './test-server.ts';

// Runs for each test file, unlike the modules that it imports, which files share.
let serversOfFile: ReturnType<typeof openTestServers>;
beforeEach(() => void (serversOfFile = openTestServers()));
afterEach(() => closeTestServers(serversOfFile));
afterAll(() => closeTestServers());
