//! Closures of views behind one type each: every type of its own would be compiled into the page
//! once more, with all that the view machinery does for it.

use leptos::prelude::*;

/// A value that follows the state.
pub type Live<T> = Box<dyn Fn() -> T + Send + Sync>;

/// What hears an event.
pub type Listener<E> = Box<dyn FnMut(E)>;

/// A value or a piece of a view that follows the state.
pub fn live<T>(value: impl Fn() -> T + Send + Sync + 'static) -> Live<T> {
    Box::new(value)
}

/// A value that follows the state and tells only when it has become another.
pub fn memo<T: PartialEq + Send + Sync + 'static>(
    value: impl Fn() -> T + Send + Sync + 'static,
) -> Memo<T> {
    remember(live(value))
}

fn remember<T: PartialEq + Send + Sync + 'static>(value: Live<T>) -> Memo<T> {
    Memo::new(move |_| value())
}

/// A piece of a view that is there only while a condition holds.
pub fn when(
    condition: impl Fn() -> bool + Send + Sync + 'static,
    piece: impl Fn() -> AnyView + Send + Sync + 'static,
) -> Live<Option<AnyView>> {
    let holds = memo(condition);
    live(move || holds.get().then(&piece))
}

/// Does something now and whenever what it reads has changed.
pub fn follow(act: impl Fn() + 'static) {
    repeat(Box::new(act));
}

fn repeat(act: Box<dyn Fn()>) {
    Effect::new(move |_| act());
}

/// Hears an event.
pub fn on<E: 'static>(hear: impl FnMut(E) + 'static) -> Listener<E> {
    Box::new(hear)
}
