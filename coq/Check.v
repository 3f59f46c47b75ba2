(** * The checker, and what it proves *)
From Tallystick Require Export Proofs Runs.

(** The run that the reference interpreter makes: folds take their elements in ascending order. *)
Definition ascending (how : cluster) := how = in_order.

(** More than enough for the deepest formula that a reader of certificates lets through. *)
Definition fuel : nat := Nat.pow 10 4.

(** ** Equivalences *)
Definition check (fuel : nat) (P Q : term) (p : proof) : bool := proves fuel tt' P Q p.
Theorem check_sound fuel P Q p : check fuel P Q p = true -> equivalent ascending P Q.
Proof. intros C r how how' R -> ->. exact (proves_ok _ _ _ _ _ C r R eq_refl). Qed.

(** ** Inequivalences *)

(** An input as a list of values; what is not given is the least value of its type. *)
Definition inputs := list (name * ty * val).
Definition input (l : inputs) : env := fun y u =>
  match find (fun xtv => name_eqb y (fst (fst xtv)) && ty_eqb u (snd (fst xtv))) l with Some xtv => snd xtv | None => default u end.
Fixpoint has_type_b (v : val) (t : ty) {struct v} : bool :=
  let fix all_of (vs : list val) (ts : list ty) : bool :=
    match vs, ts with [], [] => true | v :: vs, t :: ts => has_type_b v t && all_of vs ts | _, _ => false end in
  let fix each (vs : list val) (t : ty) : bool := match vs with [] => true | v :: vs => has_type_b v t && each vs t end in
  match v, t with
  | VInt _, TInt | VBool _, TBool => true
  | VTup vs, TTup ts => all_of vs ts
  | VBag vs, TBag t => each vs t && list_eqb veqb (sort vs) vs
  | _, _ => false
  end.
Lemma has_type_b_ok v t : has_type_b v t = true -> has_type v t.
Proof.
  revert t; induction v using val_ind'; intros [] H'; try (cbn in *; tauto || discriminate).
  - apply has_type_tup. cbn in H'. revert components H'; induction H; intros []; cbn; try discriminate; [constructor|].
    rewrite andb_true_iff. intros [A B]. constructor; auto.
  - apply has_type_bag. cbn in H'. apply andb_true_iff in H' as [A B]. split.
    + clear B. induction H; constructor; apply andb_true_iff in A as [A B]; auto.
    + apply list_eqb_eq in B; auto. apply Forall_forall. intros x _ y E. now apply veqb_eq.
Qed.
(** On this input, the programs return these values, which differ. *)
Definition differ (P Q : term) (l : inputs) (returned : val * val) : bool :=
  forallb (fun xtv => has_type_b (snd xtv) (snd (fst xtv))) l && veqb (meaning (input l) P) (fst returned) &&
  veqb (meaning (input l) Q) (snd returned) && negb (veqb (fst returned) (snd returned)).
Lemma input_typed l : forallb (fun xtv => has_type_b (snd xtv) (snd (fst xtv))) l = true -> typed (input l).
Proof.
  intros T y u. unfold input. destruct (find _ l) as [[[x t] v]|] eqn:F; [|apply default_typed]. apply find_some in F as [I B].
  cbn [fst snd] in *. apply andb_true_iff in B as [_ B]. apply ty_eqb_eq in B. subst. rewrite forallb_forall in T. apply has_type_b_ok, (T _ I).
Qed.
Theorem differ_sound P Q l returned : differ P Q l returned = true -> inequivalent ascending P Q.
Proof.
  unfold differ. rewrite !andb_true_iff, negb_true_iff. intros (((T & A) & B) & D). exists (input l). split; [now apply input_typed|].
  intros how how' -> ->. apply veqb_eq in A, B. apply veqb_neq in D. unfold returns, meaning in *. congruence.
Qed.
