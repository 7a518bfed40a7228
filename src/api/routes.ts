import type { Api, ApiContext } from './context.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { authRoutes } from './routes/auth.ts'
import { healthRoutes } from './routes/health.ts'
import { userRoutes } from './routes/users.ts'

/** Every resource of the API, each in a file of its own. */
export const allRoutes: ((api: Api, context: ApiContext) => void)[] = [
  healthRoutes,
  authRoutes,
  userRoutes,
  apiKeyRoutes,
]
