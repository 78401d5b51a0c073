/** Resolves with the first signal. Later ones are ignored: a Ctrl-C arrives twice, from the terminal and from npm. */
export declare function shutdownSignal(): Promise<string>;
