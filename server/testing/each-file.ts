import { afterAll, afterEach, beforeEach } from 'vitest';
import './deny-network.ts';
import { closeTestServers, openTestServers } from './test-server.ts';

// Runs anew for each test file, unlike the modules that it imports: files share those.
let ofTheFile: ReturnType<typeof openTestServers>;
beforeEach(() => void (ofTheFile = openTestServers()));
afterEach(() => closeTestServers(ofTheFile));
afterAll(() => closeTestServers());
