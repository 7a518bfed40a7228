import { claimPlace, planPlaces, type NewPlace } from '../../discover/places.ts'
import { startLoop, type Loop } from '../../kernel/loop.ts'
import { takeTurn } from '../cron-turn.ts'
import { searchPlace, type DiscoverDeps } from './search-place.ts'

/** Places searched this recently have nothing new to tell. */
export const restMs = 28 * 86_400_000

export interface DiscoveryPlan {
  /** As in crontab, in UTC; null leaves the start to people. */
  cron: string | null
  /** Whom the weekly search is about, largest first. */
  places: () => NewPlace[]
  mostPerWeek: number
}

/** Plans the searches when their time has come and works through them, one place after the other. */
export function startDiscovering(deps: DiscoverDeps, plan: DiscoveryPlan): Loop {
  return startLoop({
    name: 'discovery',
    everyMs: 60_000,
    log: deps.log,
    runOnce: async (signal): Promise<'again' | void> => {
      const now = deps.clock.now()
      if (plan.cron !== null && (await takeTurn(deps.sql, 'discovery', plan.cron, now))) {
        const places = plan.places().slice(0, plan.mostPerWeek)
        const planned = await planPlaces(deps.sql, places, new Date(now.getTime() - restMs), now)
        deps.log.info({ places: planned }, 'discovery planned')
      }
      const place = signal.aborted ? null : await claimPlace(deps.sql, now)
      if (place === null) return
      const found = await searchPlace(deps, place)
      deps.log.info({ place: place.name, found }, 'place searched')
      return 'again'
    },
  })
}
