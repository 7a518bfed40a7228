import {
  Activity,
  BellRing,
  BookOpen,
  CalendarDays,
  CalendarRange,
  Compass,
  Unplug,
  KeyRound,
  Inbox,
  LayoutList,
  Newspaper,
  Play,
  ScrollText,
  Send,
  Split,
  Users,
  Waypoints,
  WavesHorizontal,
} from '@lucide/vue'
import type { Component } from 'vue'
import type { Texts } from '../texts/index.ts'

interface NavigationEntry {
  name: keyof Texts['nav']['pages']
  path: string
  icon: Component
  /** Second key after `g`. */
  key: string
  admin?: boolean
  /** Shown only when the server answers this path. */
  needs?: string
}

export interface NavigationGroup {
  name: keyof Texts['nav']['groups']
  entries: NavigationEntry[]
}

export const navigation: NavigationGroup[] = [
  {
    name: 'watch',
    entries: [
      { name: 'sources', path: '/', icon: LayoutList, key: 's' },
      { name: 'alerts', path: '/alerts', icon: BellRing, key: 'w', needs: '/api/v1/alerts' },
      {
        name: 'pipeline',
        path: '/pipeline',
        icon: WavesHorizontal,
        key: 'p',
        needs: '/api/v1/funnel',
      },
      { name: 'runs', path: '/runs', icon: Play, key: 'r' },
      { name: 'schedule', path: '/schedule', icon: CalendarRange, key: 'h' },
      {
        name: 'discovery',
        path: '/discovery',
        icon: Compass,
        key: 'n',
        needs: '/api/v1/discovery/candidates',
      },
    ],
  },
  {
    name: 'content',
    entries: [
      { name: 'items', path: '/items', icon: Newspaper, key: 'i', needs: '/api/v1/articles' },
      {
        name: 'calendar',
        path: '/calendar',
        icon: CalendarDays,
        key: 'c',
        needs: '/api/v1/calendar',
      },
      { name: 'agenda', path: '/agenda', icon: BookOpen, key: 'a', needs: '/api/v1/calendar' },
      { name: 'routes', path: '/routes', icon: Split, key: 'o', needs: '/api/v1/routes' },
      {
        name: 'deliveries',
        path: '/deliveries',
        icon: Send,
        key: 'l',
        needs: '/api/v1/deliveries',
      },
    ],
  },
  {
    name: 'trouble',
    entries: [
      { name: 'frontier', path: '/frontier', icon: Waypoints, key: 'f', needs: '/api/v1/frontier' },
      {
        name: 'deadLetters',
        path: '/dead-letters',
        icon: Inbox,
        key: 'd',
        needs: '/api/v1/dead-letters',
      },
      { name: 'breakers', path: '/breakers', icon: Unplug, key: 'b', needs: '/api/v1/breakers' },
      { name: 'eventLog', path: '/event-log', icon: ScrollText, key: 'e' },
    ],
  },
  {
    name: 'manage',
    entries: [
      { name: 'apiKeys', path: '/api-keys', icon: KeyRound, key: 'k', admin: true },
      { name: 'users', path: '/users', icon: Users, key: 'u', admin: true },
      { name: 'system', path: '/system', icon: Activity, key: 'y' },
    ],
  },
]

export const allPages = navigation.flatMap((group) => group.entries)
