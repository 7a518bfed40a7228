import { createRouter, createWebHistory } from 'vue-router'
import { useSession } from './shared/session.ts'

export const router = createRouter({
  history: createWebHistory(),
  routes: [
    {
      path: '/login',
      name: 'login',
      component: () => import('./pages/LoginPage.vue'),
      meta: { bare: true },
    },
    { path: '/', name: 'sources', component: () => import('./pages/sources/SourcesPage.vue') },
    {
      path: '/pipeline',
      name: 'pipeline',
      component: () => import('./pages/pipeline/PipelinePage.vue'),
    },
    { path: '/alerts', name: 'alerts', component: () => import('./pages/trouble/AlertsPage.vue') },
    {
      path: '/discovery',
      name: 'discovery',
      component: () => import('./pages/discovery/DiscoveryPage.vue'),
    },
    { path: '/runs', name: 'runs', component: () => import('./pages/runs/RunsPage.vue') },
    {
      path: '/schedule',
      name: 'schedule',
      component: () => import('./pages/schedule/SchedulePage.vue'),
    },
    { path: '/items', name: 'items', component: () => import('./pages/items/ItemsPage.vue') },
    {
      path: '/calendar',
      name: 'calendar',
      component: () => import('./pages/items/CalendarPage.vue'),
    },
    { path: '/agenda', name: 'agenda', component: () => import('./pages/items/AgendaPage.vue') },
    {
      path: '/frontier',
      name: 'frontier',
      component: () => import('./pages/trouble/FrontierPage.vue'),
    },
    {
      path: '/dead-letters',
      name: 'deadLetters',
      component: () => import('./pages/trouble/DeadLettersPage.vue'),
    },
    {
      path: '/breakers',
      name: 'breakers',
      component: () => import('./pages/trouble/BreakersPage.vue'),
    },
    {
      path: '/event-log',
      name: 'eventLog',
      component: () => import('./pages/trouble/EventLogPage.vue'),
    },
    {
      path: '/routes',
      name: 'routes',
      component: () => import('./pages/publish/RoutesPage.vue'),
    },
    {
      path: '/deliveries',
      name: 'deliveries',
      component: () => import('./pages/publish/DeliveriesPage.vue'),
    },
    {
      path: '/api-keys',
      name: 'apiKeys',
      component: () => import('./pages/manage/ApiKeysPage.vue'),
    },
    { path: '/users', name: 'users', component: () => import('./pages/manage/UsersPage.vue') },
    { path: '/system', name: 'system', component: () => import('./pages/manage/SystemPage.vue') },
    { path: '/:rest(.*)*', name: 'lost', component: () => import('./pages/LostPage.vue') },
  ],
  scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
})

router.beforeEach(async (to) => {
  const session = useSession()
  if (to.name === 'login') return true
  if (!session.known) {
    // With the server away nothing is known; the page shows its offline state meanwhile.
    await session.ask()
  }
  if (session.user === null && session.known) {
    return { name: 'login', query: to.fullPath === '/' ? {} : { next: to.fullPath } }
  }
  return true
})
