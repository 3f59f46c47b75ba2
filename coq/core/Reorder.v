(** * Equality of terms, and slots in another order

    A permutation of slots is a list of adjacent swaps, each of which is allowed where the second source does not mention the first
    slot: dependent telescopes need nothing else. *)
From Tallystick.core Require Export Normal.

Definition function_eq_dec : forall f g : Core.function, {f = g} + {f <> g}.
Proof. decide equality. apply String.string_dec. Defined.
Definition scalar_eq_dec : forall o p : scalar, {o = p} + {o <> p}.
Proof. decide equality; try apply String.string_dec; try apply Bool.bool_dec; decide equality. Defined.
Definition op_eq_dec : forall o p : op, {o = p} + {o <> p}.
Proof. decide equality; [apply value_eq_dec|apply scalar_eq_dec|apply String.string_dec]. Defined.
Definition aggregate_eq_dec : forall f g : aggregate, {f = g} + {f <> g}.
Proof. decide equality. apply function_eq_dec. Defined.
Definition place_eq_dec : forall f g : place, {f = g} + {f <> g}.
Proof. repeat decide equality. Defined.
Definition is {A} (dec : forall x y : A, {x = y} + {x <> y}) (x y : A) : bool := if dec x y then true else false.
Lemma is_ok {A} (dec : forall x y : A, {x = y} + {x <> y}) x y : is dec x y = true -> x = y.
Proof. unfold is. now destruct (dec x y). Qed.
Fixpoint eqt (t u : term) : bool := match t, u with
  | Cell i c, Cell j d => Nat.eqb i j && Nat.eqb c d | Alike i j, Alike k l => Nat.eqb i k && Nat.eqb j l
  | Apply o ts, Apply p us => is op_eq_dec o p && eqts ts us | Ex b, Ex c => eqb b c | Total b, Total c => eqb b c
  | Summary f b, Summary g c => is aggregate_eq_dec f g && eqb b c | _, _ => false end
with eqts ts us := match ts, us with Tn, Tn => true | Tc t ts, Tc u us => eqt t u && eqts ts us | _, _ => false end
with eqb b c := match b, c with Bn, Bn => true | Bc m b, Bc n c => eqm m n && eqb b c | _, _ => false end
with eqm m n := match m, n with Take s m, Take t n => eqs s t && eqm m n | Give c h, Give d k => eqt c d && eqts h k | _, _ => false end
with eqs s t := match s, t with
  | Table n, Table p => String.eqb n p | Support b, Support c => eqb b c | Block n b, Block p c => is place_eq_dec n p && eqb b c | _, _ => false end.
Lemma equal_ok : (forall t u, eqt t u = true -> t = u) /\ (forall t u, eqts t u = true -> t = u) /\ (forall t u, eqb t u = true -> t = u) /\
  (forall t u, eqm t u = true -> t = u) /\ (forall t u, eqs t u = true -> t = u).
Proof.
  apply all_i; intros; match goal with |- _ = ?u => destruct u end; cbn in *; try discriminate; rewrite ?andb_true_iff, ?Nat.eqb_eq, ?String.eqb_eq in *;
    repeat match goal with H : _ /\ _ |- _ => destruct H | H : is _ _ _ = true |- _ => apply is_ok in H end; subst; f_equal; auto.
Qed.
Definition eqs_ok := proj2 (proj2 (proj2 (proj2 equal_ok))).

Definition crossed (i : nat) : nat := match i with 0 => 1 | 1 => 0 | _ => i end.
Fixpoint swap_at (k : nat) (m : mono) : option mono := match k, m with
  | O, Take s (Take t m) => let t' := rs pred t in if eqs (rs S t') t then Some (Take t' (Take (rs S s) (rm crossed m))) else None
  | S k, Take s m => option_map (Take s) (swap_at k m)
  | _, _ => None end.
Fixpoint reorder (ks : list nat) (m : mono) : option mono := match ks with
  | [] => Some m | k :: ks => match swap_at k m with Some m => reorder ks m | None => None end end.

Lemma flat_map_permutation {A B} (f g : A -> list B) l : (forall x, In x l -> Permutation (f x) (g x)) -> Permutation (flat_map f l) (flat_map g l).
Proof. induction l as [|x l IH]; cbn; auto. intros H. apply Permutation_app; auto. Qed.
Lemma flat_map_plus {A B} (f g : A -> list B) l : Permutation (flat_map (fun x => f x ++ g x) l) (flat_map f l ++ flat_map g l).
Proof.
  induction l as [|x l IH]; cbn; auto. rewrite <- !app_assoc. apply Permutation_app_head. etransitivity; [apply Permutation_app_head, IH|].
  rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.
Lemma flat_map_swap {A B C} (f : A -> B -> list C) l k : Permutation (flat_map (fun x => flat_map (f x) k) l) (flat_map (fun y => flat_map (fun x => f x y) l) k).
Proof.
  induction l as [|x l IH]; cbn; [induction k; cbn; auto|]. etransitivity; [apply Permutation_app_head, IH|]. symmetry. apply flat_map_plus.
Qed.

Section Slots.
  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value).
  Notation mm := (mm w blocks named).
  Notation ms := (ms w blocks named).
  Definition same_mono (m n : mono) : Prop := forall e, Permutation (mm e m) (mm e n).
  Lemma swap_ok k : forall m n, swap_at k m = Some n -> same_mono m n.
  Proof.
    induction k as [|k IH]; intros m n E e.
    - destruct m as [s [t m|]|]; try discriminate. cbn in E. destruct (eqs _ t) eqn:T; [|discriminate]. apply eqs_ok in T. inversion E; subst n; clear E.
      set (t' := rs pred t) in *. clearbody t'. subst t.
      change (Permutation (flat_map (fun r => flat_map (fun q => mm (push q (push r e)) m) (ms (push r e) (rs S t'))) (ms e s))
        (flat_map (fun q => flat_map (fun r => mm (push r (push q e)) (rm crossed m)) (ms (push q e) (rs S s))) (ms e t'))).
      rewrite (flat_map_ext _ (fun r => flat_map (fun q => mm (push q (push r e)) m) (ms e t'))) by (intros r; now rewrite (rs_ok w blocks named t' e (push r e) S)).
      rewrite (flat_map_ext (fun q => flat_map _ (ms (push q e) (rs S s))) (fun q => flat_map (fun r => mm (push q (push r e)) m) (ms e s))); [apply flat_map_swap|].
      intros q. rewrite (rs_ok w blocks named s e (push q e) S) by auto. apply flat_map_ext. intros r.
      apply (rm_ok w blocks named m). now intros [|[|i]].
    - destruct m as [s m|]; [|discriminate]. cbn in E. destruct (swap_at k m) as [n'|] eqn:X; [|discriminate]. inversion E; subst.
      change (Permutation (flat_map (fun r => mm (push r e) m) (ms e s)) (flat_map (fun r => mm (push r e) n') (ms e s))).
      apply flat_map_permutation. intros r _. now apply IH.
  Qed.
  Theorem reorder_ok ks : forall m n, reorder ks m = Some n -> same_mono m n.
  Proof.
    induction ks as [|k ks IH]; intros m n E e; cbn in E; [now inversion E|]. destruct (swap_at k m) as [m'|] eqn:X; [|discriminate].
    etransitivity; [apply (swap_ok _ _ _ X)|now apply IH].
  Qed.
End Slots.
