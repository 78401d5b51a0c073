import { environmentManager } from '@tanstack/react-query';
import { TIMEOUT } from './timeout.ts';

// Files without a DOM, where it would behave as on a server, share it with files that have one.
environmentManager.setIsServer(() => false);

// React DOM checks for a DOM when it is loaded.
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: TIMEOUT.timeout });
}
