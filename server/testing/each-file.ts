import { afterAll } from 'vitest';
import './deny-network.ts';
import { closeTestServers } from './test-server.ts';

// Runs anew for each test file, unlike the modules that it imports: files share those.
afterAll(closeTestServers);
