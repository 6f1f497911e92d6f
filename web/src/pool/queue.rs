//! Which task comes next.

use std::collections::VecDeque;

use dragontree_worker::Request;

/// A request on its way through the pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// What is asked.
    pub request: Request,
    /// Whether it takes a complete worker.
    pub large: bool,
    /// The curve of a run; neighbors on a curve share most of their preparation.
    pub curve: Option<u32>,
    /// Whether nobody waits for the answer any more.
    pub withdrawn: bool,
    again: bool,
}

impl Task {
    /// A run on a curve, or a question.
    pub fn new(request: Request, large: bool, curve: Option<u32>) -> Task {
        Task { request, large, curve, withdrawn: false, again: false }
    }

    /// How long a worker may be silent about it, in milliseconds: long, when silence has cost it
    /// a worker before, for building a large network or its routes is silent work.
    pub fn patience(&self) -> f64 {
        if self.again { 300_000.0 } else { 15_000.0 }
    }

    /// Whether it is a run, not a question.
    pub fn is_run(&self) -> bool {
        self.curve.is_some()
    }

    /// Whether it is a question that every study comes with, not one that the reader asked.
    pub fn is_of_study(&self) -> bool {
        matches!(
            self.request,
            Request::Survey { .. }
                | Request::Measure { .. }
                | Request::Analyze { .. }
                | Request::Fabric { .. }
                | Request::Utilization { .. }
        )
    }

    /// The generation of the request.
    pub fn generation(&self) -> u32 {
        match self.request {
            Request::Survey { generation, .. }
            | Request::Analyze { generation, .. }
            | Request::Fabric { generation, .. }
            | Request::Utilization { generation, .. }
            | Request::Run { generation, .. }
            | Request::Measure { generation, .. }
            | Request::Export { generation, .. }
            | Request::Table { generation, .. }
            | Request::Inspect { generation, .. }
            | Request::Open { generation, .. }
            | Request::Estimate { generation, .. }
            | Request::Cancel { generation } => generation,
            Request::Keep { .. } => 0,
        }
    }

    /// Takes it back; gives the generation unless that was done before.
    pub fn withdraw(&mut self) -> Option<u32> {
        let first = !std::mem::replace(&mut self.withdrawn, true);
        first.then(|| self.generation())
    }
}

/// The tasks that wait.
#[derive(Default)]
pub struct Queue(VecDeque<Task>);

impl Queue {
    /// The tasks in their order.
    pub fn waiting(&self) -> impl Iterator<Item = &Task> {
        self.0.iter()
    }

    /// Adds a task: a drawing or what is drawn as it is, which is quickly made, before all that wait,
    /// else behind them.
    pub fn add(&mut self, task: Task) {
        match task.request {
            Request::Fabric { loads: false, .. } | Request::Utilization { .. } => {
                self.0.push_front(task);
            }
            _ => self.0.push_back(task),
        }
    }

    /// Puts a task back that broke its worker; the second time its generation is given instead.
    pub fn retry(&mut self, task: &Task) -> Option<u32> {
        if task.withdrawn {
            return None;
        }
        if task.again {
            return Some(task.generation());
        }
        self.0.push_front(Task { again: true, ..task.clone() });
        None
    }

    /// Drops tasks.
    pub fn withdraw(&mut self, which: impl Fn(&Task) -> bool) {
        self.0.retain(|task| !which(task));
    }

    /// The next task for a worker, complete or not, whose last run was on curve `last`, while other
    /// workers are on the curves `taken`: what a study takes, then questions, then its own curve, then
    /// one that nobody is on.
    pub fn next(&mut self, complete: bool, last: Option<u32>, taken: &[u32]) -> Option<Task> {
        let find = |fits: &dyn Fn(&Task) -> bool| {
            self.0.iter().position(|task| (complete || !task.large) && fits(task))
        };
        let free = |task: &Task| task.curve.is_some_and(|curve| !taken.contains(&curve));
        let place = find(&|task| matches!(task.request, Request::Estimate { .. }))
            .or_else(|| find(&|task| !task.is_run()))
            .or_else(|| find(&|task| task.curve == last))
            .or_else(|| find(&free))
            .or_else(|| find(&|_| true))?;
        self.0.remove(place)
    }

    /// How many tasks wait that take a complete worker, or that do not.
    pub fn count(&self, large: bool) -> usize {
        self.0.iter().filter(|task| task.large == large).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(job: u32) -> Request {
        Request::Run { generation: 1, text: String::new(), job }
    }

    fn question(large: bool) -> Task {
        let text = String::new();
        Task::new(Request::Survey { generation: 2, text, job: 9, fits: large }, large, None)
    }

    fn job(task: Option<Task>) -> Option<u32> {
        match task?.request {
            Request::Run { job, .. } | Request::Survey { job, .. } => Some(job),
            _ => None,
        }
    }

    /// Two curves of two runs each: 0 and 1, 2 and 3.
    fn queue() -> Queue {
        let mut queue = Queue::default();
        (0..4).for_each(|job| queue.add(Task::new(run(job), false, Some(job / 2))));
        queue
    }

    #[test]
    fn a_worker_stays_on_its_curve_and_another_takes_the_next() {
        let mut queue = queue();
        assert_eq!(job(queue.next(false, None, &[])), Some(0));
        assert_eq!(job(queue.next(false, None, &[0])), Some(2));
        assert_eq!(job(queue.next(false, Some(1), &[0, 1])), Some(3));
        assert_eq!(job(queue.next(false, Some(1), &[0, 1])), Some(1));
        assert_eq!(job(queue.next(false, Some(1), &[0, 1])), None);
    }

    #[test]
    fn what_the_reader_asked_outlives_the_questions_of_a_study() {
        let mut queue = queue();
        queue.add(question(true));
        let (text, format) = (String::new(), String::new());
        let export = Request::Export { generation: 3, text, job: 0, format };
        queue.add(Task::new(export, true, None));
        queue.withdraw(Task::is_of_study);
        let left = queue.waiting().map(Task::generation).collect::<Vec<_>>();
        assert_eq!(left, [1, 1, 1, 1, 3]);
    }

    #[test]
    fn questions_come_first() {
        let mut queue = queue();
        queue.add(question(false));
        assert_eq!(job(queue.next(false, Some(0), &[0])), Some(9));
    }

    #[test]
    fn a_drawing_does_not_wait_for_analysis() {
        let mut queue = Queue::default();
        let text = String::new;
        queue.add(Task::new(Request::Analyze { generation: 2, text: text(), job: 0 }, true, None));
        for loads in [true, false] {
            let fabric = Request::Fabric { generation: 2, text: text(), job: 0, open: None, loads };
            queue.add(Task::new(fabric, true, None));
        }
        let order: Vec<Task> = std::iter::from_fn(|| queue.next(true, None, &[])).collect();
        assert!(matches!(order[0].request, Request::Fabric { loads: false, .. }));
        assert!(matches!(order[1].request, Request::Analyze { .. }));
        assert!(matches!(order[2].request, Request::Fabric { loads: true, .. }));
    }

    #[test]
    fn large_tasks_wait_for_a_complete_worker() {
        let mut queue = Queue::default();
        queue.add(question(true));
        queue.add(Task::new(run(3), false, Some(0)));
        assert_eq!((queue.count(true), queue.count(false)), (1, 1));
        assert_eq!(job(queue.next(false, None, &[])), Some(3));
        assert_eq!(job(queue.next(false, None, &[])), None);
        assert_eq!(job(queue.next(true, None, &[])), Some(9));
    }

    #[test]
    fn a_broken_run_is_tried_twice() {
        let mut queue = Queue::default();
        queue.add(Task::new(run(5), false, Some(0)));
        let first = queue.next(false, None, &[]).unwrap();
        assert_eq!(queue.retry(&first), None);
        assert!(first.patience() < 60_000.0);
        let second = queue.next(false, None, &[]).unwrap();
        assert_eq!(job(Some(second.clone())), Some(5));
        assert!(second.patience() > 60_000.0);
        assert_eq!(queue.retry(&second), Some(1));
        assert_eq!(queue.count(false), 0);
    }

    #[test]
    fn a_withdrawn_task_is_not_tried_again() {
        let mut queue = queue();
        let mut task = queue.next(false, None, &[]).unwrap();
        assert_eq!(task.withdraw(), Some(1));
        assert_eq!(task.withdraw(), None);
        assert_eq!(queue.retry(&task), None);
        queue.withdraw(Task::is_run);
        assert_eq!(queue.count(false), 0);
    }
}
