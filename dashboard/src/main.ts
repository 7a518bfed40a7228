import { VueQueryPlugin } from '@tanstack/vue-query'
import { createPinia } from 'pinia'
import { createApp, watch } from 'vue'
import { onApi } from './api/client.ts'
import App from './App.vue'
import { router } from './router.ts'
import { useConnection } from './shared/connection.ts'
import { queryClient } from './shared/query-client.ts'
import { useSession } from './shared/session.ts'
import './styles.css'

const app = createApp(App)
app.use(createPinia())

const session = useSession()
const connection = useConnection()
onApi({
  reachable: (answered) => connection.report(answered),
  unauthorized: () => (session.user = null),
})

// A server that was away when the page opened may turn out not to know us.
watch(
  () => session.known && session.user === null,
  (stranger) => {
    const from = router.currentRoute.value
    if (stranger && from.name !== undefined && from.name !== 'login')
      void router.push({ name: 'login', query: { next: from.fullPath } })
  },
)

app.use(VueQueryPlugin, { queryClient })
app.use(router)
app.mount('#app')
