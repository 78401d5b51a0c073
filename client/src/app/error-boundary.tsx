import { Component, type ReactNode } from 'react';
import { FailureNotice } from '../ui/failure-notice.tsx';

/** Stands in when a screen breaks, e.g. because a part of the app could not be fetched. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main className="mx-auto max-w-xl px-5 py-32">
        <h1 className="sr-only">Mems Are Forever</h1>
        <FailureNotice onRetry={() => window.location.reload()}>
          Something went wrong on this screen. Your memories are safe. Reloading usually helps.
        </FailureNotice>
      </main>
    );
  }
}
