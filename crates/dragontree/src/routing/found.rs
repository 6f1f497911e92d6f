//! What a routing finds.

use std::sync::Arc;

use super::{Adaptive, Oblivious, Route, Tables};

/// Found routes, by whether they depend on the load.
#[derive(Clone)]
pub enum AnyRoutes {
    /// They do not: all that analysis accepts.
    Fixed(Arc<Routes>),
    /// They do.
    Adaptive(Arc<dyn Adaptive>),
}

impl AnyRoutes {
    /// The routes without their kind.
    pub fn route(&self) -> &dyn Route {
        match self.adaptive() {
            Some(routes) => routes,
            None => self.unloaded().route(),
        }
    }

    /// The routes, where they depend on the load; without the feature `complete` none do.
    pub fn adaptive(&self) -> Option<&dyn Adaptive> {
        match self {
            AnyRoutes::Adaptive(routes) if cfg!(feature = "complete") => Some(routes.as_ref()),
            AnyRoutes::Adaptive(_) | AnyRoutes::Fixed(_) => None,
        }
    }

    /// The routes, where they do not depend on the load.
    ///
    /// # Errors
    /// They do.
    pub fn fixed(&self) -> Result<&Arc<Routes>, NotFixed> {
        match self.adaptive() {
            None => Ok(self.unloaded()),
            Some(_) => Err(NotFixed),
        }
    }

    /// The routes that packets take while nothing waits.
    pub fn unloaded(&self) -> &Arc<Routes> {
        match self {
            AnyRoutes::Fixed(routes) => routes,
            AnyRoutes::Adaptive(routes) => routes.unloaded(),
        }
    }

    /// Whether both are the same routes, found once.
    pub fn is(&self, other: &AnyRoutes) -> bool {
        Arc::ptr_eq(self.unloaded(), other.unloaded())
    }
}

/// Routes are adaptive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an adaptive routing decides by the load of the network and has no fixed routes to look at"
)]
pub struct NotFixed;

impl From<Routes> for AnyRoutes {
    fn from(routes: Routes) -> AnyRoutes {
        AnyRoutes::Fixed(Arc::new(routes))
    }
}

/// Routes that do not depend on the load.
pub enum Routes {
    /// Forwarding tables: one route to each destination from each switch.
    Tables(Box<Tables>),
    /// Blind to the load: the routes of a pair and their probabilities are known beforehand.
    Oblivious(Box<dyn Oblivious>),
}

impl Routes {
    /// The routes without their kind.
    pub fn route(&self) -> &dyn Route {
        match self {
            Routes::Tables(tables) => tables.as_ref(),
            Routes::Oblivious(routes) => routes.as_ref(),
        }
    }

    /// The routes as choices with known probabilities.
    pub fn oblivious(&self) -> &dyn Oblivious {
        match self {
            Routes::Tables(tables) => tables.as_ref(),
            Routes::Oblivious(routes) => routes.as_ref(),
        }
    }
}
