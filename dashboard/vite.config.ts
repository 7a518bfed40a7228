import tailwind from '@tailwindcss/vite'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

const server = 'http://127.0.0.1:8060'

export default defineConfig({
  plugins: [vue(), tailwind()],
  build: { target: 'es2022', sourcemap: false },
  server: {
    port: 5173,
    proxy: { '/api': server, '/ready': server, '/health': server, '/sse': server },
  },
})
