import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Keeps the Host header, so that upload URLs lead to Vite and not to the server. */
const server = { target: `http://127.0.0.1:${process.env['PORT'] ?? 5000}`, changeOrigin: false };

export default defineConfig({
  root: 'client',
  plugins: [react(), tailwindcss()],
  build: { outDir: '../dist/client', emptyOutDir: true },
  server: {
    port: 5173,
    strictPort: false,
    proxy: {
      '/api': server,
      '/objects': server,
      '/uploads': server,
      '/companion': { ...server, ws: true },
    },
  },
});
